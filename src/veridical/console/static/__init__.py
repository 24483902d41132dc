"""Style, scripts and the icon; ``vendor`` is built from npm packages and committed."""
