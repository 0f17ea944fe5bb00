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

/** The element that marks a token. HTML has no such element. */
const TOKEN = 'itembank-token';

/** Converts HTML to XML that QTI allows. Adds a note for everything that QTI does not allow. */
export function xhtmlOf(html: string, note: (code: NoteCode, was: string) => void): string {
  return converted(html, note, false);
}

/**
 * Converts HTML to XML, with an element for each marked token. @param element gives the beginning and the end of the
 * nth token.
 */
export function xhtmlWithTokens(
  html: string,
  note: (code: NoteCode, was: string) => void,
  element: (at: number) => [begin: string, end: string],
): { xml: string; count: number } {
  const parts = converted(html, note, true).split(`<${TOKEN}>`);
  const xml = parts.map((part, at) => {
    if (at === 0) return part;
    const [begin, end] = element(at - 1);
    return begin + part.replace(`</${TOKEN}>`, end);
  });
  return { xml: xml.join(''), count: parts.length - 1 };
}

function converted(html: string, note: (code: NoteCode, was: string) => void, hasTokens: boolean): string {
  const known = new Set([...ELEMENTS, ...MATHEMATICS]);
  return sanitizeHtml(xmlSafe(html), {
    allowedTags: [...known, TOKEN],
    allowedAttributes: {
      '*': ATTRIBUTES,
      ...Object.fromEntries(MATHEMATICS.map((name) => [name, MATHEMATICAL])),
      [TOKEN]: [],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel', 'data', 'itembank-asset'],
    selfClosing: EMPTY,
    enforceHtmlBoundary: false,
    transformTags: {
      '*': (name, attributes) => {
        if (hasTokens && name === 'span' && words(attributes.class ?? '').includes('lrn_token'))
          return { tagName: TOKEN, attribs: {} };
        if ('style' in attributes) note('style-dropped', attributes.style);
        if (name === 'math') return { tagName: name, attribs: { ...attributes, xmlns: MATHML } };
        if (known.has(name)) return { tagName: name, attribs: attributes };
        const shown = SPANS.has(name) ? 'span' : BLOCKS.has(name) ? 'div' : undefined;
        note(shown === undefined ? 'markup-dropped' : 'layout-approximated', name);
        return { tagName: shown ?? name, attribs: attributes };
      },
    },
  });
}

const MATHML = 'http://www.w3.org/1998/Math/MathML';
const SPANS = new Set(words('u s del ins mark font strike time data'));
