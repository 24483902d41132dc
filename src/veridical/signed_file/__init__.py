"""HTML files whose parts are signed: anybody with the public key sees what was changed."""
