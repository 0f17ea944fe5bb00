/* Names of HTML, SVG and MathML, grouped by how the sanitiser treats them. */

export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Raw-text elements that are harmless when nothing in their text could begin a tag. */
export const RAW_CONTENT: Record<string, RegExp> = {
  style: /([^<&]*)<\/style\s*>/iy,
  title: /([^<]*)<\/title\s*>/iy,
  iframe: /([^<&]*)<\/iframe\s*>/iy,
};

export const VOID = words('area br col hr img input param source track wbr');
const HTML = words(`
  a abbr acronym address article aside audio b bdi bdo big blink blockquote body button canvas caption center cite code
  colgroup data datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5
  h6 head header hgroup html i iframe ins kbd label legend li listing main map mark marquee menu menuitem meter nav nobr ol
  optgroup option output p picture pre progress q rb rp rt rtc ruby s samp search section select slot small span strike
  strong style sub summary sup table tbody td tfoot th thead time title tr tt u ul var video`);
const SVG = words(`
  svg animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer
  feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB
  feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting
  feSpotLight feTile feTurbulence filter foreignObject g image line linearGradient marker mask metadata mpath path pattern
  polygon polyline radialGradient rect set stop switch symbol text textPath tref tspan use view`);
const MATHML = words(`
  math annotation annotation-xml maction maligngroup malignmark menclose merror mfenced mfrac mglyph mi mlabeledtr
  mlongdiv mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mscarries mscarry msgroup msline mspace
  msqrt msrow mstack mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics`);
export const ALLOWED = [...VOID, ...HTML, ...SVG, ...MATHML];
export const ALLOWED_STRICTLY = ALLOWED.filter((name) => !Object.hasOwn(RAW_CONTENT, name));

export const DROPPED_WITH_CONTENT = words(
  'script style title iframe noscript noembed noframes xmp plaintext textarea template comment',
);
/** Elements that run, load, redirect or frame something, send a form, or make the parser read raw text. */
export const DENIED = new Set(
  words(`
  script noscript noembed noframes xmp plaintext textarea template comment object embed applet frame frameset base link meta
  form portal fencedframe bgsound layer ilayer isindex xml import handler listener`),
);
export const KNOWN = new Set([...ALLOWED.map((name) => name.toLowerCase()), ...DENIED]);

export const NEVER = new Set(words('srcdoc action formaction http-equiv'));
export const ADDRESSES = new Set(
  words(`
  href src base data codebase background poster cite longdesc ping manifest profile usemap dynsrc lowsrc classid archive
  code icon`),
);
/** Attributes that give an animation its values. */
export const ANIMATED = new Set(words('to from by values'));
/** Attributes with text for readers. Browsers never follow them as addresses. */
export const PROSE = new Set(words('alt title label placeholder summary content value abbr'));
