"""The style of a proof as HTML: marks differ in shape as well as in colour, light and dark."""

STYLE = """
.proof{font:16px/1.6 system-ui,sans-serif;color:#1a1a1a;background:#fff;max-width:60rem;
padding:1rem;color-scheme:light}
.proof h2{font-size:1.1rem;margin:1rem 0 .4rem}
.proof pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:0 0 1rem}
.proof a{color:inherit}
.proof mark{color:inherit;background:#e7f4ea;border-bottom:2px solid #1b7f3b;padding:0 .1em}
.proof mark.open{background:#fff4d6;border-bottom:2px dashed #8a5a00}
.proof mark.bad{background:#fdeaea;border-bottom:3px double #b3261e}
.proof mark.note{background:#f1f1f1;border-bottom:2px dotted #666}
.proof sup{font-size:.75em;margin-left:.15em;white-space:nowrap}
.proof .verdict{font-weight:700;border:2px solid;padding:.1em .6em;display:inline-block}
.proof details{border-left:4px solid #1b7f3b;padding:.2rem .6rem;margin:.3rem 0}
.proof details.open{border-left:4px dashed #8a5a00}
.proof details.bad{border-left:6px double #b3261e}
.proof details.note{border-left:4px dotted #666}
.proof p:target{outline:2px solid}
.proof summary{cursor:pointer}
.proof details p{margin:.3rem 0}
.proof table{border-collapse:collapse;font-size:.9em}
.proof caption{text-align:left;font-weight:700}
.proof td,.proof th{text-align:left;vertical-align:top;padding:.15rem .8rem .15rem 0;
border-bottom:1px solid #ccc}
@media (prefers-color-scheme:dark){.proof{color:#eee;background:#161616;color-scheme:dark}
.proof mark{background:#12351f;border-color:#6fd08c}
.proof mark.open{background:#3a2e0c;border-color:#f0c35a}
.proof mark.bad{background:#431a18;border-color:#ff8a80}
.proof mark.note{background:#2a2a2a;border-color:#aaa}
.proof details{border-color:#6fd08c}
.proof details.open{border-color:#f0c35a}
.proof details.bad{border-color:#ff8a80}
.proof details.note{border-color:#aaa}
.proof td,.proof th{border-color:#444}}
"""
