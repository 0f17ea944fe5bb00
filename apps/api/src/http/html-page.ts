/* The HTML pages. They contain no scripts and no inline styles, so that a strict Content-Security-Policy works: the
only style sheet is a file below /docs. */

export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

interface Page {
  title: string;
  /** HTML. */
  body: string;
  /** The table of contents as HTML, beside the text if there is room. */
  contents?: string;
  /** The relative path from the page to /, because a proxy may serve the service below a path. */
  root: string;
}

export function htmlPage({ title, body, contents, root }: Page): string {
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escaped(title)}</title>
    <link rel="icon" href="${root}docs/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="${root}docs/page.css">
  </head>
  <body>
    <a class="skip" href="#text">Skip to the text</a>
    <header><a href="${root}">Itembank</a> <a href="${root}docs">Reference</a></header>
${contents === undefined ? '' : `    <nav aria-label="On this page">${contents}</nav>\n`}    <main id="text">
${body}
    </main>
  </body>
</html>
`;
}

const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => NAMED[character]!);

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d5fa8"/><path d="M9 10h3M9 16h3M9 22h3M15 10h8M15 16h8M15 22h8" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>
`;

export const STYLE = `:root {
  color-scheme: light dark;
  --text: #1c2430; --quiet: #566173; --ground: #fff; --raised: #f3f5f8; --line: #d5dbe4; --link: #1557a0; --mark: #fff3c4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e3e8ef; --quiet: #a3aebd; --ground: #14181f; --raised: #1e242e; --line: #36404e; --link: #82b7f5; --mark: #43390f;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 0 1rem 4rem; max-width: 80rem; background: var(--ground); color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word;
}
header { display: flex; gap: 1.5rem; padding: .9rem 0; border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
header a:first-child { font-weight: 650; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; padding: .3rem .6rem; background: var(--ground); }
h1, h2, h3 { line-height: 1.25; margin: 2.2rem 0 .7rem; }
h1 { font-size: 1.9rem; margin-top: 1rem; }
h2 { font-size: 1.45rem; padding-top: 1.2rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
h2:target, h3:target { background: var(--mark); }
p, li { max-width: 50rem; }
code, pre { font: .88em/1.5 ui-monospace, Menlo, Consolas, monospace; }
:not(pre) > code { background: var(--raised); border-radius: .25rem; padding: .1em .3em; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem; overflow-x: auto; }
pre code { font-size: 1em; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem 1.1rem .35rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
td:first-child code { white-space: nowrap; }
td:last-child { min-width: 18rem; }
pre, .table { max-width: 62rem; }
.number { text-align: right; }
@media (max-width: 45rem) {
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  td { border: 0; padding: .1rem 0; text-align: left; }
  td:empty { display: none; }
  td:not(:first-child)::before { content: attr(data-title) ': '; color: var(--quiet); }
  td:first-child code { white-space: normal; }
}
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav { display: none; }
@media (min-width: 68rem) {
  nav {
    display: block; float: left; position: sticky; top: 0; width: 17rem; height: 100vh; overflow-y: auto; padding: 1rem 1rem 2rem 0;
    font-size: .88rem; line-height: 1.4;
  }
  nav li { padding: .15rem 0; }
  nav .below { padding-left: .9rem; }
  nav ~ main { margin-left: 18.5rem; }
}
@media print { header, nav, .skip { display: none !important; } nav ~ main { margin-left: 0; } }
`;
