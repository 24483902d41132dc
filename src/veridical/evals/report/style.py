"""The style sheet of a report: light and dark, safe for colour-blind readers."""

_LIGHT = (
    "--paper:#fff;--panel:#f5f6f8;--ink:#1b1f24;--muted:#59636e;--line:#d4d9e0;--on:#fff;"
    "--correct:#0a6aa8;--refused:#69707a;--wrong:#b34700;--accent:#5b3f9e;--link:#0a5a94"
)
_DARK = (
    "--paper:#14171b;--panel:#1d2127;--ink:#e8eaed;--muted:#a3acb8;--line:#3a414b;--on:#11151a;"
    "--correct:#5cb6ee;--refused:#9aa3ae;--wrong:#ff9b61;--accent:#b9a3f5;--link:#7cc4f5"
)
COLOURS = (
    f":root{{color-scheme:light;{_LIGHT}}}"
    f"@media (prefers-color-scheme:dark){{:root{{color-scheme:dark;{_DARK}}}}}"
)

PAGE_STYLE = (
    COLOURS
    + """
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main,header,footer{max-width:72rem;margin:0 auto;padding:0 1rem}
h1{font-size:1.6rem;line-height:1.25;margin:1.5rem 0 .5rem}
h2{font-size:1.25rem;margin:2.5rem 0 .75rem;
border-bottom:1px solid var(--line);padding-bottom:.3rem}
a{color:var(--link)}
.badge{display:inline-block;border:2px solid var(--wrong);color:var(--wrong);border-radius:.3rem;
padding:0 .5rem;font-weight:700;font-size:.9rem}
dl.about{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.75rem 0}
dl.about dt{color:var(--muted)}dl.about dd{margin:0;overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:.3rem 1rem;margin:1rem 0}
.scroll{overflow-x:auto;margin:0 0 1.5rem}
table{border-collapse:collapse;min-width:100%;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.3rem 0}
th,td{padding:.35rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap;
vertical-align:top}
th:first-child,td:first-child{text-align:left;padding-left:0}
thead th{color:var(--muted);font-weight:600;font-size:.85rem;vertical-align:bottom}
tbody th{font-weight:600}
th:first-child{position:sticky;left:0;background:var(--paper)}
thead button{all:unset;cursor:pointer}
thead button:hover,thead button:focus-visible{color:var(--ink);text-decoration:underline}
th[aria-sort=ascending] button::after{content:" ▲"}
th[aria-sort=descending] button::after{content:" ▼"}
.note{color:var(--muted);font-size:.85rem;margin:-1rem 0 1.5rem;max-width:60rem}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1.25rem}
.charts figure{margin:0;background:var(--panel);border-radius:.5rem;padding:1rem}
.charts svg{display:block;width:100%;height:auto}
.filter{display:flex;flex-wrap:wrap;gap:.4rem;margin:.5rem 0 1rem}
.filter button{font:inherit;font-size:.9rem;color:var(--ink);background:var(--panel);
border:1px solid var(--line);border-radius:1rem;padding:.15rem .8rem;cursor:pointer}
.filter button[aria-pressed=true]{background:var(--ink);color:var(--paper)}
.matrix th:first-child{white-space:normal;min-width:11rem;max-width:34rem;font-weight:400}
.matrix th b{display:block}.matrix th span{color:var(--muted);font-size:.85rem;
overflow-wrap:anywhere}
.matrix td,.matrix thead th:not(:first-child){text-align:center}
@media (max-width:40rem){.charts figure{padding:.6rem}
.matrix th:first-child{min-width:8.5rem;max-width:8.5rem}
.matrix th span{display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;
overflow:hidden}.matrix td{padding:.35rem .3rem}}
.cells{display:inline-flex;gap:2px}
.cell{display:inline-flex;align-items:center;justify-content:center;width:1.6rem;height:1.6rem;
border-radius:.2rem;color:var(--on);font-weight:700;text-decoration:none}
.cell:hover,.cell:focus-visible{outline:2px solid var(--ink);outline-offset:1px}
.correct{background:var(--correct)}.refused{background:var(--refused)}.wrong{background:var(--wrong)}
.tag{display:inline-block;border-radius:.2rem;color:var(--on);font-weight:700;padding:0 .4rem}
details{border-bottom:1px solid var(--line);padding:.4rem 0;scroll-margin-top:.5rem}
details details{border:0;margin-left:1rem}
summary{cursor:pointer;overflow-wrap:anywhere}
details:target>summary,details.here>summary{outline:2px solid var(--accent);outline-offset:2px}
.run{background:var(--panel);border-radius:.4rem;padding:.6rem .9rem;margin:.4rem 0}
pre,code{font:13px/1.45 ui-monospace,monospace}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0;unicode-bidi:isolate}
.said{font:inherit;border-left:3px solid var(--line);padding-left:.7rem}
ol.story,.run{overflow-wrap:anywhere}
ol.story{padding-left:1.4rem;margin:.5rem 0}ol.story li{margin:.35rem 0}
.muted{color:var(--muted)}
.bad{color:var(--wrong);font-weight:600}.good{color:var(--correct);font-weight:600}
footer{color:var(--muted);font-size:.85rem;padding-top:2rem;padding-bottom:3rem}
[hidden]{display:none!important}
@media print{nav,.filter{display:none}}
"""
)
