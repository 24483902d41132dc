"""The look of the report: weights distinguished by line as well as by colour, light and dark."""

STYLE = """
:root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--soft:#f3f3f3;--line:#bbb;--good:#1b7f3b;
--open:#8a5a00;--bad:#b3261e;--good-soft:#e7f4ea;--open-soft:#fff4d6;--bad-soft:#fdeaea}
@media (prefers-color-scheme:dark){:root{--ink:#eee;--paper:#161616;--soft:#242424;--line:#555;
--good:#6fd08c;--open:#f0c35a;--bad:#ff8a80;--good-soft:#12351f;--open-soft:#3a2e0c;
--bad-soft:#431a18}}
body{font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:64rem;
margin:0 auto;padding:1rem}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}h3{font-size:1rem;margin:0}
a{color:inherit}nav a{margin-right:1rem}
table{border-collapse:collapse}caption{text-align:left;font-weight:700}
td,th{text-align:left;vertical-align:top;padding:.15rem .9rem .15rem 0;
border-bottom:1px solid var(--line)}
svg{width:8rem;height:.7rem;vertical-align:middle}
.track{fill:var(--soft);stroke:var(--line);stroke-width:1}
.pass{fill:var(--good)}.uncertain{fill:var(--open)}.fail{fill:var(--bad)}
article{border:1px solid var(--line);border-left-width:6px;padding:.6rem .9rem;margin:.8rem 0}
article.pass{border-left-color:var(--good)}article.fail{border-left-color:var(--bad)}
article.uncertain{border-left:6px dashed var(--open)}
article:target{outline:3px solid}
.text{white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0}
.where{opacity:.8;font-size:.85em;overflow-wrap:anywhere}
.badge{border:1px solid;padding:0 .4em;font-size:.85em}
mark{color:inherit;background:var(--open-soft);border-bottom:2px dashed var(--open)}
mark.high{background:var(--bad-soft);border-bottom:3px double var(--bad)}
mark.low{background:var(--soft);border-bottom:2px dotted var(--line)}
sup{font-size:.7em;margin-left:.15em;white-space:nowrap}
li:target{outline:2px solid}
@media print{nav{display:none}article{break-inside:avoid}}
"""
