import { type Html } from './markup';

export const STYLE = `
:root { color-scheme: light dark }
:root:is(:target, :has([id^=dark]:target)) { color-scheme: dark }
:root:has([id^=light]:target) { color-scheme: light }
:root:is(:target, :has([id^=dark]:target)) a:not([href^='#dark']),
:root:has([id^=light]:target) a:not([href^='#light']),
:root:not(:target, :has([id^=dark]:target, [id^=light]:target)) a:not([href^='#system']) { display: none }
body { font: 15px/1.5 system-ui, sans-serif; color: light-dark(#1f2328, #d3d6da); background: light-dark(#fff, #1a1b1e); margin: 0 }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem }
h1 { margin: 0; font-size: 1.6rem; overflow-wrap: anywhere }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.2rem; overflow-wrap: anywhere }
h3 { margin: 1.5rem 0 .5rem; font-size: 1rem }
a { color: light-dark(#0b5cad, #74b4f5) }
small, .note, figcaption { color: light-dark(#59636e, #a6a7ab); font-weight: normal }
.id { font: 1rem ui-monospace, monospace; overflow-wrap: anywhere; margin: .25rem 0 }
figure { display: inline-block; margin: 1rem 1rem 1rem 0; max-width: 100%; vertical-align: top }
figure svg { max-width: 100%; height: auto }
figcaption { text-align: center }
.wide { overflow-x: auto }
table { border-collapse: collapse; margin: .5rem 0; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid light-dark(#d1d9e0, #43464c); padding: .25rem .6rem; text-align: right; vertical-align: top }
thead th, thead td { border-bottom-width: 2px }
thead td + th { text-align: left }
tbody th { text-align: left; font-weight: normal; overflow-wrap: anywhere; max-width: 26rem; min-width: 8rem }
.facts th { min-width: 0 }
.facts td { text-align: left }
` as Html;
