import { dirname, join } from 'node:path/posix';
import { type Asset, assetToken } from '../entry';
import { decodedPath, assetNameFrom } from '../names';
import { type Note, note, type NoteCode } from '../note';
import { attributeOf, htmlOf, XmlElement } from '../xml';
import { attr, nameOf, rulesIn } from './names';
import { inOriginals } from './paths';

/** An item, a test or a stimulus on its way into the bank: its notes, its files, and its texts as HTML. */
export class Body {
  readonly notes: Note[] = [];
  readonly assets = new Map<string, Asset>();
  isMath = false;
  /** Texts that the source shows to scorers, and not to learners. */
  readonly forScorers: string[] = [];
  /** Elements that are no markup, whose texts keep their language and direction. */
  readonly wrapped = new Set<XmlElement>();
  private readonly rewritten = new WeakSet<XmlElement>();

  constructor(
    /** Path of the file in the package. */
    readonly path: string,
    private readonly files: ReadonlySet<string>,
  ) {}

  note(code: NoteCode, at: XmlElement | string, was: string): void {
    const place = typeof at === 'string' ? at : `${this.path}#${at.path}`;
    // One note for all files of other servers, and one for each kind of loss at a place.
    if (!this.notes.some((known) => known.code === code && (known.at === place || code === 'address-remote')))
      this.notes.push(note(code, place, was));
  }

  /** @param replace gives other HTML for an element, or undefined to convert it as usual. */
  html(
    nodes: readonly (XmlElement | string)[],
    replace: (element: XmlElement) => string | undefined = () => undefined,
  ): string {
    const all = (element: XmlElement): string | undefined => replace(element) ?? this.element(element, all);
    return htmlOf(nodes, all).trim();
  }

  /**
   * The content of an element that is no markup itself, with its language and direction.
   * @param replace as for {@link html}.
   */
  inner(element: XmlElement, replace?: (element: XmlElement) => string | undefined): string {
    return this.wrap(element, this.html(element.children, replace));
  }

  private wrap(element: XmlElement, html: string): string {
    const { 'xml:lang': lang, dir } = element.attributes;
    if (html === '' || (lang === undefined && dir === undefined)) return html;
    this.wrapped.add(element);
    const attributes = Object.entries({ lang, dir }).map(([name, value]) =>
      value === undefined ? '' : ` ${name}="${attributeOf(value)}"`,
    );
    return `<div${attributes.join('')}>${html}</div>`;
  }

  /** The text without markup, for places that show plain text. */
  plain(element: XmlElement): string {
    return element.text.replace(/\s+/g, ' ').trim();
  }

  private element(element: XmlElement, replace: (element: XmlElement) => string | undefined): string | undefined {
    const name = nameOf(element);
    const dropped = Object.hasOwn(DROPPED, name) ? DROPPED[name] : undefined;
    if (dropped) {
      this.note(dropped, element, `${name} ${this.plain(element)}`);
      return '';
    }
    if (name === 'math') this.isMath = true;
    if (name === 'rubricBlock' && !/candidate/.test(attr(element, 'view') ?? 'candidate')) {
      this.keepForScorers(element);
      return '';
    }
    if (name === 'mediaInteraction') {
      const rules = rulesIn(element, ['autostart', 'minPlays', 'maxPlays', 'loop']);
      if (rules.length > 0) this.note('playback-rule-dropped', element, rules.join(', '));
    }
    if (UNWRAPPED.has(name)) return this.wrap(element, htmlOf(element.children, replace));
    // An embedded page is a passage of its own.
    if (name === 'object') return attr(element, 'type') === 'text/html' ? '' : this.object(element, replace);
    if (this.rewritten.has(element)) return undefined;
    const changed = [...ADDRESSES, SIZES].filter((attribute) => element.attributes[attribute] !== undefined);
    if (changed.length === 0 || (name === 'a' && !this.isInPackage(element.attributes.href ?? '', element)))
      return undefined;
    const attributes = { ...element.attributes };
    for (const attribute of changed) {
      const written = attributes[attribute]!;
      attributes[attribute] = attribute === SIZES ? this.addresses(written, element) : this.address(written, element);
    }
    const copy = new XmlElement(element.name, element.namespace, attributes, element.line, element.parent, 1);
    copy.children.push(...element.children);
    this.rewritten.add(copy);
    return htmlOf([copy], replace);
  }

  /** The note of an item is plain text. */
  private keepForScorers(element: XmlElement): void {
    const files = [...element.below()].flatMap((each) => each.attributes.src ?? each.attributes.data ?? []);
    if (files.length > 0) this.note('unknown-dropped', element, `${files.join(', ')} in a text for scorers`);
    this.forScorers.push(
      linesOf(element)
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join('\n'),
    );
  }

  /** `a.png 1x, b.png 2x` */
  private addresses(written: string, at: XmlElement): string {
    return written
      .split(/,\s+/)
      .map((each) => {
        const [address = '', ...size] = each.trim().split(/\s+/);
        return [this.address(address, at), ...size].join(' ');
      })
      .join(', ');
  }

  /** An embedded file as the element that HTML has for its kind. */
  private object(element: XmlElement, replace: (element: XmlElement) => string | undefined): string {
    const source = attr(element, 'data') ?? '';
    const type = attr(element, 'type') ?? '';
    const sizes = ['width', 'height'].flatMap((name) => {
      const value = attr(element, name);
      return value && /^\d+$/.test(value) ? [` ${name}="${value}"`] : [];
    });
    const address = this.address(source, element);
    if (type.startsWith('audio/')) return `<audio controls src="${address}"></audio>`;
    if (type.startsWith('video/')) return `<video controls src="${address}"${sizes.join('')}></video>`;
    if (type.startsWith('image/') || /\.(png|jpe?g|gif|svg|webp)$/i.test(source))
      return `<img src="${address}" alt="${this.plain(element).replace(/"/g, '&quot;')}"${sizes.join('')}>`;
    this.note('markup-dropped', element, `object ${source}`);
    return htmlOf(element.children, replace);
  }

  /** The address of a file: a token for one of the package, and otherwise as it is. */
  address(source: string, at: XmlElement): string {
    const data = /^data:([^;,]+);base64,(.*)$/s.exec(source);
    if (data) {
      const { number, bare } = inOriginals(this.path);
      const bytes = Buffer.from(data[2]!, 'base64');
      return this.asset({
        name: assetNameFrom(`inline${number}`, `${bare}/${at.line}-${this.assets.size}`),
        from: { bytes },
      });
    }
    if (/^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(source)) {
      if (!source.startsWith('#')) this.note('address-remote', at, source);
      return source;
    }
    const path = this.pathOf(source, at);
    if (path !== undefined) {
      const { number, bare } = inOriginals(path);
      return this.asset({ name: assetNameFrom(`package${number}`, bare), from: { path } });
    }
    this.note('file-missing', at, source);
    return source;
  }

  /**
   * The file of the package that a relative address names, as it is written or decoded: below the addresses of
   * `xml:base`, or else beside this file.
   */
  pathOf(source: string, at?: XmlElement): string | undefined {
    const bare = source.split(/[?#]/, 1)[0]!;
    const base = baseOf(at);
    const written = base === '' ? [bare] : [join(base, bare), bare];
    const candidates = written
      .flatMap((path) => [path, decodedPath(path)])
      .map((path) => join(dirname(this.path), path));
    return candidates.find((path) => this.files.has(path));
  }

  private isInPackage(source: string, at: XmlElement): boolean {
    return this.pathOf(source, at) !== undefined;
  }

  private asset(asset: Asset): string {
    this.assets.set(asset.name, asset);
    return assetToken(asset.name);
  }
}

const BLOCKS = new Set('blockquote dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre table td th tr ul'.split(' '));

/** The text of an element, with line breaks around each paragraph and cell. */
const linesOf = ({ name, children }: XmlElement): string => {
  const text = children.map((child) => (typeof child === 'string' ? child.replace(/\s+/g, ' ') : linesOf(child)));
  return BLOCKS.has(name) ? `\n${text.join('')}\n` : name === 'br' ? '\n' : text.join('');
};

/** The folder that the relative addresses in an element begin with: `xml:base` of the element and of those around it. */
export function baseOf(element: XmlElement | undefined): string {
  const bases: string[] = [];
  for (let at = element; at; at = at.parent) bases.unshift(at.attributes['xml:base'] ?? '');
  return bases.filter((base) => base !== '').join('/');
}

const ADDRESSES = ['src', 'href', 'poster', 'data'];
/** Holds several addresses. */
const SIZES = 'srcset';

/** Elements whose content stays without them. */
const UNWRAPPED = new Set([
  'prompt',
  'itemBody',
  'contentBody',
  'stimulusBody',
  'rubricBlock',
  'simpleChoice',
  'label',
]);

const DROPPED: Record<string, NoteCode> = {
  printedVariable: 'variable-text-dropped',
  feedbackInline: 'feedback-dropped',
  feedbackBlock: 'feedback-dropped',
  templateInline: 'template-dropped',
  templateBlock: 'template-dropped',
  infoControl: 'hint-dropped',
  endAttemptInteraction: 'dynamic-behaviour-dropped',
  stylesheet: 'style-dropped',
  script: 'markup-dropped',
  include: 'unknown-dropped',
};
