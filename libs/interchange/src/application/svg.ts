import { Unreadable } from '../formats/source';
import { attributeOf, htmlOfText, parseXml, type XmlElement } from '../formats/xml';

const SVG = 'http://www.w3.org/2000/svg';

/** Elements that draw. All others are dropped with their content: scripts, links, foreign content, animation. */
const DRAWING = new Set(
  `svg g defs symbol use title desc style path rect circle ellipse line polyline polygon text tspan textPath image marker
  linearGradient radialGradient stop pattern clipPath mask switch filter feBlend feColorMatrix feComponentTransfer feComposite
  feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
  feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile
  feTurbulence`.split(/\s+/),
);

const PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/;
/** Anything that CSS could load from elsewhere. Escapes could hide it. */
const LOADS = /url\s*\(\s*(?!['"]?#)|@import|expression|image-set|\\/i;

/** The picture without anything that could run code or load something; undefined when it is not an SVG picture. */
export function cleanSvg(text: string): string | undefined {
  // Drawing programs write a document type, which may not declare anything.
  const bare = text.replace(/^\uFEFF?\s*(?:<\?xml[^>]*\?>)?(?:\s|<!--[^]*?-->)*(?:<!DOCTYPE[^>[\]]*>)?/, '');
  try {
    const root = parseXml(bare, 'picture');
    if (root.name !== 'svg' || root.namespace !== SVG) return undefined;
    return written(root, true);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function written(element: XmlElement, isRoot = false): string {
  const attributes = Object.entries(element.attributes).filter(([name, value]) => isHarmless(element, name, value));
  const content = element.children.map((child) => {
    if (typeof child === 'string') return element.name === 'style' && LOADS.test(child) ? '' : htmlOfText(child);
    return child.namespace === SVG && DRAWING.has(child.name) ? written(child) : '';
  });
  const namespaces = isRoot ? ` xmlns="${SVG}" xmlns:xlink="http://www.w3.org/1999/xlink"` : '';
  const shown = attributes.map(([name, value]) => ` ${name}="${attributeOf(value)}"`).join('');
  return `<${element.name}${namespaces}${shown}>${content.join('')}</${element.name}>`;
}

function isHarmless(element: XmlElement, name: string, value: string): boolean {
  if (name.startsWith('xmlns') || /^on/i.test(name)) return false;
  if (name === 'href' || name === 'xlink:href')
    return (
      /^\s*#/.test(value) || ((element.name === 'image' || element.name === 'feImage') && PICTURE.test(value.trim()))
    );
  // Other prefixes belong to drawing programs, and their namespaces are dropped.
  if (name.includes(':') && !name.startsWith('xml:')) return false;
  return name !== 'xml:base' && !LOADS.test(value);
}
