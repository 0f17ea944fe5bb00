import { type Html } from './markup';

export const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; color: #1f2328; background: #fff; margin: 0 }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1.5rem }
h1 { margin: 0; font-size: 1.6rem }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.2rem; overflow-wrap: anywhere }
h3 { margin: 1.5rem 0 .5rem; font-size: 1rem }
small, .note { color: #59636e; font-weight: normal }
.id { font: 1rem ui-monospace, monospace; overflow-wrap: anywhere; margin: .25rem 0 }
figure { display: inline-block; margin: 1rem 1rem 1rem 0; max-width: 100%; vertical-align: top }
figure svg { max-width: 100%; height: auto }
figcaption { color: #59636e; text-align: center }
table { border-collapse: collapse; margin: .5rem 0; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid #d1d9e0; padding: .25rem .6rem; text-align: right; vertical-align: top }
thead th { border-bottom-width: 2px }
tbody th { text-align: left; font-weight: normal; overflow-wrap: anywhere; max-width: 26rem }
.facts td { text-align: left }
` as Html;
