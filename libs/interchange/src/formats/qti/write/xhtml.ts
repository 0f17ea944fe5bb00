import { xmlSafe } from '../../xml-writing';
import sanitizeHtml from 'sanitize-html';
import { type NoteCode } from '../../note';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** The elements of HTML that content of QTI may have. */
const ELEMENTS =
  words(`a abbr acronym address article aside audio b bdi bdo big blockquote br caption cite code col colgroup
  dd details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img kbd li nav ol p picture pre q rp rt
  ruby samp section small source span strong sub summary sup table tbody td tfoot th thead tr track tt ul var video`);
const MATHEMATICS =
  words(`math maction annotation annotation-xml menclose merror mfenced mfrac mi mlabeledtr mmultiscripts
  mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder
  munderover none semantics`);
const BLOCKS = new Set(words('center fieldset form legend main hgroup noscript'));
const ATTRIBUTES =
  words(`alt aria-* class colspan controls data-* dir headers height href kind label lang loop media muted
  poster role rowspan scope span src srclang start title type value width`);
const MATHEMATICAL =
  words(`accent accentunder align close columnalign columnlines columnspacing columnspan depth display
  displaystyle encoding fence form frame height linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize
  minsize movablelimits notation open rowalign rowlines rowspacing rowspan rspace scriptlevel separator separators stretchy
  symmetric voffset width xmlns`);
const EMPTY = words('br col hr img source track');
/** The elements that HTML 5 added. */
const HTML5 = words(`article aside audio bdi figcaption figure footer header nav rp rt ruby section source track
  video`);
/** Attributes that HTML writes without a value. */
const FLAGS = words('controls loop muted');
/** Attributes with a meaning when they are empty. */
const MAY_BE_EMPTY = words('alt close open separators');

/** The element that marks a token. HTML has no such element. */
const TOKEN = 'itembank-token';

/**
 * Converts HTML to XML that QTI allows. Adds a note for everything that QTI does not allow.
 * @param html5Prefix of the elements that HTML 5 added.
 */
export function xhtmlOf(html: string, note: (code: NoteCode, was: string) => void, html5Prefix?: string): string {
  return converted(html, note, false, html5Prefix);
}

/**
 * Converts HTML to XML, with an element for each marked token. @param element gives the beginning and the end of the
 * nth token.
 */
export function xhtmlWithTokens(
  html: string,
  note: (code: NoteCode, was: string) => void,
  element: (at: number) => [begin: string, end: string],
  html5Prefix?: string,
): { xml: string; count: number } {
  const parts = converted(html, note, true, html5Prefix).split(`<${TOKEN}>`);
  const xml = parts.map((part, at) => {
    if (at === 0) return part;
    const [begin, end] = element(at - 1);
    return begin + part.replace(`</${TOKEN}>`, end);
  });
  return { xml: xml.join(''), count: parts.length - 1 };
}

function converted(
  html: string,
  note: (code: NoteCode, was: string) => void,
  hasTokens: boolean,
  html5Prefix?: string,
): string {
  const known = new Set([...ELEMENTS, ...MATHEMATICS]);
  const nameOf = (name: string) =>
    html5Prefix !== undefined && HTML5.includes(name) ? `${html5Prefix}:${name}` : name;
  return sanitizeHtml(xmlSafe(html), {
    allowedTags: [...[...known].map(nameOf), TOKEN],
    allowedAttributes: {
      '*': ATTRIBUTES,
      ...Object.fromEntries(MATHEMATICS.map((name) => [name, MATHEMATICAL])),
      [TOKEN]: [],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel', 'data', 'itembank-asset'],
    // The types of the library do not have this option.
    ...({ allowedEmptyAttributes: MAY_BE_EMPTY } as object),
    selfClosing: EMPTY.map(nameOf),
    enforceHtmlBoundary: false,
    transformTags: {
      '*': (name, written) => {
        const attributes = inXml(written);
        if (hasTokens && name === 'span' && words(attributes.class ?? '').includes('lrn_token'))
          return { tagName: TOKEN, attribs: {} };
        if ('style' in attributes) note('style-dropped', attributes.style);
        if (name === 'math') return { tagName: name, attribs: { ...attributes, xmlns: MATHML } };
        if (known.has(name)) return { tagName: nameOf(name), attribs: attributes };
        const shown = SPANS.has(name) ? 'span' : BLOCKS.has(name) ? 'div' : undefined;
        note(shown === undefined ? 'markup-dropped' : 'layout-approximated', name);
        return { tagName: shown ?? name, attribs: attributes };
      },
    },
  });
}

/** XML has no attributes without a value. */
const inXml = (attributes: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]): [string, string][] => {
      if (FLAGS.includes(name)) return [[name, 'true']];
      return value === '' && !MAY_BE_EMPTY.includes(name) ? [] : [[name, value]];
    }),
  );

const MATHML = 'http://www.w3.org/1998/Math/MathML';
const SPANS = new Set(words('u s del ins mark font strike time data'));
