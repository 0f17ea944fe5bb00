/**
 * The player has no shadow root, so that pages find questions by their ids. So its selectors begin with names of its own, and
 * its rules override what pages often set for elements.
 */
const SHELL_STYLE = `
itembank-player {
  --ip-text: light-dark(#1d2733, #e9eef4);
  --ip-muted: light-dark(#536072, #a9b6c6);
  --ip-surface: light-dark(#ffffff, #161c25);
  --ip-sunken: light-dark(#f3f6fa, #202834);
  --ip-border: light-dark(#7a8797, #8493a5);
  --ip-line: light-dark(#d5dce5, #3a4656);
  --ip-accent: light-dark(#1f5fbf, #86b6ff);
  --ip-on-accent: light-dark(#ffffff, #0d1420);
  --ip-focus: light-dark(#0b57d0, #a8c7fa);
  --ip-warning: light-dark(#8a4b00, #f2c375);
  display: block;
  min-block-size: 100%;
  color: var(--ip-text);
  background: var(--ip-surface);
  font: 1em/1.5 system-ui, sans-serif;
  text-align: start;
}
itembank-player.fontsize-small { font-size: 0.875em; }
itembank-player.fontsize-large { font-size: 1.25em; }
itembank-player.fontsize-xlarge { font-size: 1.5em; }
itembank-player.fontsize-xxlarge { font-size: 1.875em; }
itembank-player.colours-light { color-scheme: light; }
itembank-player.colours-dark { color-scheme: dark; }
itembank-player:not(.colours-light, .colours-dark) { color-scheme: light dark; }
itembank-player *, itembank-player *::before { box-sizing: border-box; }
itembank-player :focus { scroll-margin-block-end: 6rem; }
itembank-player :is(h2, ol, li, p):not(.itembank-item *) { border: 0; padding: 0; }
itembank-player :is(h2, li, label, legend, p:not(.itembank-saved, .itembank-subtitle)):not(.itembank-item *) { color: inherit; }
.itembank-hidden {
  position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.itembank-skip:focus { position: static; clip-path: none; inline-size: auto; block-size: auto; margin: 0.5rem; }
.itembank-top {
  display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: baseline; justify-content: space-between;
  padding: 0.75rem 1.25rem; border-block-end: 1px solid var(--ip-line); background: var(--ip-sunken);
}
.itembank-top h2 { margin: 0; font-size: 1.125em; line-height: 1.3; }
.itembank-subtitle { margin: 0; color: var(--ip-muted); }
.itembank-figures { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: center; margin: 0; }
.itembank-timer { font-variant-numeric: tabular-nums; }
.itembank-timer.is-late { color: var(--ip-warning); font-weight: 700; }
.itembank-body { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: start; }
.itembank-items { padding: 1.25rem; max-inline-size: 60rem; inline-size: 100%; margin-inline: auto; }
.itembank-items.is-vertical > .itembank-item + .itembank-item { margin-block-start: 2.5rem; padding-block-start: 2.5rem; border-block-start: 1px solid var(--ip-line); }
.is-indexed .itembank-item *::part(heading) {
  position: static; inline-size: auto; block-size: auto; margin: 0 0 0.5rem; clip-path: none; font-size: 1em; font-weight: 600;
}
.itembank-item:focus { outline: none; }
.itembank-item:focus-visible { outline: 0.1875rem solid var(--ip-focus); outline-offset: 0.5rem; }
.itembank-item > * + * { margin-block-start: 1.75rem; }
.itembank-item > span, .itembank-column > span { display: block; }
.itembank-column > * + * { margin-block-start: 1.75rem; }
.itembank-columns { display: flex; flex-wrap: wrap; gap: 2rem; }
.itembank-column { flex: 1 1 18rem; min-inline-size: min(18rem, 100%); max-inline-size: 100%; }
.itembank-tools { display: flex; flex-direction: column; gap: 0.5rem; padding: 1.25rem 1.25rem 1.25rem 0; max-inline-size: 14rem; }
.itembank-calculator { min-inline-size: 12.5rem; }
.itembank-contents { position: relative; max-block-size: max(8rem, 40vh); overflow-y: auto; margin: -0.3125rem; padding: 0.3125rem; }
.itembank-tools ol { list-style: none; display: flex; flex-wrap: wrap; gap: 0.375rem; margin: 0; padding: 0; }
.itembank-bottom {
  display: flex; flex-wrap: wrap; gap: 0.75rem; justify-content: flex-end; align-items: center; padding: 0.75rem 1.25rem;
  border-block-start: 1px solid var(--ip-line); background: var(--ip-sunken); position: sticky; inset-block-end: 0;
}
.itembank-saved { margin: 0; margin-inline-end: auto; color: var(--ip-muted); font-size: 0.9375em; }
.itembank-saved.is-failing { color: var(--ip-warning); font-weight: 600; }
.itembank-button, itembank-player button:not(.itembank-item *) {
  min-block-size: 2.5rem; min-inline-size: 2.5rem; margin: 0; padding: 0.375rem 1rem; font: inherit; color: inherit; cursor: pointer;
  border: 1px solid var(--ip-border, #7a8797); border-radius: 0.5rem; background: var(--ip-surface, Canvas);
}
.itembank-button:disabled, itembank-player button:is(:disabled, [aria-disabled]) { cursor: default; opacity: 0.6; }
itembank-player .itembank-primary:not(.itembank-item *) {
  background: var(--ip-accent); border-color: var(--ip-accent); color: var(--ip-on-accent); font-weight: 600;
}
itembank-player button[aria-current] { border: 2px solid var(--ip-accent); font-weight: 700; }
itembank-player button[aria-pressed='true'] { background: var(--ip-accent); color: var(--ip-on-accent); }
.itembank-button:focus-visible, itembank-player :is(button, a, select, summary):focus-visible {
  outline: 0.1875rem solid var(--ip-focus, #0b57d0); outline-offset: 0.125rem;
}
.itembank-check { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; margin-block-start: 0.75rem; }
.itembank-panel { max-inline-size: 40rem; margin: 0 auto; padding: 3rem 1.25rem; }
.itembank-panel h2:focus { outline: none; }
itembank-player dialog {
  max-inline-size: min(36rem, 92vw); padding: 1.5rem; border: 1px solid var(--ip-border); border-radius: 0.75rem;
  color: var(--ip-text); background: var(--ip-surface);
}
itembank-player dialog::backdrop { background: rgb(0 0 0 / 50%); }
itembank-player dialog h2 { margin-block: 0 0.75rem; font-size: 1.25em; }
.itembank-actions { display: flex; flex-wrap: wrap; gap: 0.75rem; justify-content: flex-end; margin-block-start: 1.25rem; }
.itembank-data { box-sizing: border-box; inline-size: 100%; min-block-size: 8rem; font: 0.875em/1.4 monospace; }
itembank-player form input { font: inherit; padding: 0.375rem; }
itembank-player fieldset { border: 0; padding: 0; margin: 0 0 1rem; }
itembank-player fieldset label { display: inline-flex; align-items: center; gap: 0.375rem; margin-inline-end: 1rem; min-block-size: 1.75rem; }
.itembank-list { padding: 0; margin: 0; list-style: none; display: grid; gap: 0.375rem; }
.itembank-list button { inline-size: 100%; text-align: start; }
@media (max-width: 48rem) {
  .itembank-body { grid-template-columns: minmax(0, 1fr); }
  .itembank-tools { flex-flow: row wrap; max-inline-size: none; padding: 0 1.25rem 1.25rem; }
  .itembank-bottom { position: static; }
  .itembank-saved { flex-basis: 100%; }
}
@media (forced-colors: active) {
  itembank-player button[aria-current], itembank-player button[aria-pressed='true'] { outline: 2px solid Highlight; }
}
`;

let sheet: CSSStyleSheet | undefined;

/** Adds the rules once to the page, or to the shadow root that contains the player. */
export function adoptShellStyle({ adoptedStyleSheets: adopted }: DocumentOrShadowRoot = document): void {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(SHELL_STYLE);
  }
  if (!adopted.includes(sheet)) adopted.push(sheet);
}
