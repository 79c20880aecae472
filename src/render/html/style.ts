/** The page's look: one column, system font, both themes, print. Colours pass WCAG AA on their grounds. */
export const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--panel:#f6f7f9;--line:#d9dde3;--text:#1c2330;--quiet:#586174;
--good:#17663a;--warn:#8a4b00;--bad:#b3211c;--link:#0b57a4;
--c1:#2f6db5;--c2:#4c9a8f;--c3:#b0803a;--c4:#8a64b0;--c5:#b55a6a;--c6:#6b8a3c;--mark:#c2410c;--on-chart:#fff;--bar:#c9d9ee}
@media (prefers-color-scheme:dark){:root{--ground:#12161d;--panel:#1a2029;--line:#323b48;--text:#e6eaf0;--quiet:#a3adbb;
--good:#62c98d;--warn:#f0ae57;--bad:#ff8b85;--link:#7db7f2;
--c1:#3f78bd;--c2:#3d7f76;--c3:#8f6a30;--c4:#7d5ba3;--c5:#a35060;--c6:#5b7535;--mark:#e0703a;--bar:#2c4160}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main,header,footer{max-width:1100px;margin:0 auto;padding:0 16px}
h1{font-size:26px;margin:24px 0 4px}h2{font-size:20px;margin:36px 0 6px;padding-top:10px;border-top:1px solid var(--line)}
h3{font-size:16px;margin:22px 0 6px}p{margin:6px 0;max-width:90ch;overflow-wrap:anywhere}
a{color:var(--link)}code{font:13px/1.4 ui-monospace,"Cascadia Mono",Menlo,Consolas,monospace;overflow-wrap:anywhere;white-space:break-spaces}
.quiet{color:var(--quiet)}
.verdict{border:1px solid var(--line);border-left:6px solid var(--quiet);background:var(--panel);padding:10px 14px;margin:14px 0;border-radius:4px}
.verdict.good{border-left-color:var(--good)}.verdict.warning{border-left-color:var(--warn)}.verdict.error{border-left-color:var(--bad)}
.good>b{color:var(--good)}.warning>b{color:var(--warn)}.error>b{color:var(--bad)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(210px,1fr));gap:12px;margin:14px 0}
.tile{border:1px solid var(--line);background:var(--panel);border-radius:6px;padding:10px 14px;min-width:0}
.tile dt{color:var(--quiet);font-size:13px}.tile dd{margin:0}.tile .value{font-size:24px;font-weight:600;overflow-wrap:anywhere}
.tile .words{font-size:15px;font-weight:600;overflow-wrap:anywhere}
.tile .remark{font-size:13px;color:var(--quiet);overflow-wrap:anywhere}
nav ul{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;padding:0;margin:8px 0}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:6px;margin:8px 0}
.scroll:focus-visible{outline:2px solid var(--link)}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{padding:5px 10px;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tbody tr:last-child td{border-bottom:0}
.v{white-space:nowrap}
th{background:var(--panel);font-weight:600;vertical-align:bottom;white-space:nowrap}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.k{min-width:160px;max-width:520px}
td.share{background:linear-gradient(to left,var(--bar) var(--part,0%),transparent 0)}
th button{all:unset;cursor:pointer}th button:focus-visible{outline:2px solid var(--link)}
th[aria-sort=ascending] button::after{content:" \\25B2"}th[aria-sort=descending] button::after{content:" \\25BC"}
.tools{display:flex;flex-wrap:wrap;gap:8px;align-items:center;font-size:13px}
.tools input{font:inherit;padding:3px 8px;border:1px solid var(--line);border-radius:4px;background:var(--ground);color:var(--text)}
.tools button{font:inherit;padding:3px 10px;border:1px solid var(--line);border-radius:4px;background:var(--panel);color:var(--text);cursor:pointer}
details{margin:6px 0;font-size:13px}summary{cursor:pointer;color:var(--link)}
pre{background:var(--panel);border:1px solid var(--line);border-radius:4px;padding:10px;overflow-x:auto;font:12.5px/1.45 ui-monospace,Menlo,Consolas,monospace}
figure{margin:10px 0}figure svg{display:block;width:100%;height:auto}figure svg.narrow{display:none;max-width:560px}
@media screen and (max-width:720px){.tiles{grid-template-columns:repeat(auto-fit,minmax(150px,1fr))}.tile{padding:8px 11px}th,td{padding:5px 7px}td.k{min-width:150px}
figure svg.wide{display:none}figure svg.narrow{display:block}}
footer{margin-top:40px;padding-bottom:30px;color:var(--quiet);font-size:13px}
@media screen{.scroll{max-height:560px;overflow-y:auto}thead th{position:sticky;top:0}}
@media print{body{font-size:11pt}.tools,nav{display:none}h2,h3,figure,tr{break-inside:avoid}h2,h3{break-after:avoid}
.scroll{border:0;overflow:visible}a{color:inherit}}
`;
