import { dirname, join } from 'node:path/posix';
import { type Asset, assetToken } from '../entry';
import { decodedPath, assetNameFrom } from '../names';
import { type Note, note, type NoteCode } from '../note';
import { attributeOf, htmlOf, htmlOfText, type XmlElement } from '../xml';

/** Converts the texts of an item to HTML, and collects its notes and files. */
export class ItemTexts {
  readonly notes: Note[] = [];
  readonly assets = new Map<string, Asset>();
  /** Names of the feedback that the question holds. */
  readonly usedFeedback = new Set<string>();

  constructor(
    readonly item: XmlElement,
    private readonly path: string,
    private readonly files: ReadonlySet<string>,
  ) {}

  note(code: NoteCode, at: XmlElement, was: string): void {
    const made = note(code, `${this.path}#${at.path}`, was);
    const isKnown = this.notes.some((known) => known.code === code && known.at === made.at && known.was === made.was);
    if (!isKnown) this.notes.push(made);
  }

  /** The texts and pictures in an element, as HTML. */
  html(element: XmlElement | undefined): string {
    const parts = element
      ? [...element.below()].filter(({ name }) => name.startsWith('mat') && name !== 'material')
      : [];
    return parts
      .map((part) => this.part(part))
      .filter((html) => html !== '')
      .join(' ');
  }

  private part(part: XmlElement): string {
    if (part.name === 'matbreak') return '<br>';
    if (part.name === 'matimage') return this.picture(part);
    const text = part.text.trim();
    if (part.name === 'mattext' && /html/i.test(part.attributes.texttype ?? ''))
      return this.withFiles(withLatex(part.elements.length > 0 ? htmlOf(part.children).trim() : text), part);
    const html = htmlOfText(text).replace(/\r?\n/g, '<br>');
    if (part.name === 'mattext') return html;
    if (part.name === 'matemtext') return `<em>${html}</em>`;
    this.note('markup-dropped', part, `${part.name} ${part.attributes.uri ?? text}`);
    return '';
  }

  /** The first text in an element, without markup. */
  plain(element: XmlElement | undefined): string {
    const text = element && [...element.below()].find(({ name }) => name === 'mattext');
    return text?.text.trim() ?? '';
  }

  /** A picture that an element names. */
  picture(element: XmlElement): string {
    return this.withFiles(`<img src="${attributeOf(element.attributes.uri ?? '')}" alt="">`, element);
  }

  /** Replaces the addresses of files of the package. */
  withFiles(html: string, at: XmlElement): string {
    return html.replace(/((?:src|href)\s{0,5}=\s{0,5}["'])([^"']*)/gi, (whole, before: string, address: string) => {
      if (/^\$(CANVAS|WIKI)/i.test(address)) {
        this.note('address-remote', at, address);
        return whole;
      }
      if (/^([a-z][a-z0-9+.-]*:|\/\/|#|\/)/i.test(address)) {
        if (/^(https?:)?\/\//i.test(address) && /^src/i.test(before)) this.note('address-remote', at, address);
        // An address on the server of Canvas, which the package does not name.
        else if (/^\/[^/]/.test(address)) this.note('file-missing', at, address);
        return whole;
      }
      const bare = address.split(/[?#]/, 1)[0]!;
      const path = this.pathOf(bare);
      if (path === undefined) {
        this.note('file-missing', at, address);
        return whole;
      }
      const name = assetNameFrom('package', path);
      this.assets.set(name, { name, from: { path } });
      return `${before}${assetToken(name)}`;
    });
  }

  /**
   * The file that an address names: in the files of the course, beside the item, or a file whose path ends the same.
   */
  private pathOf(address: string): string | undefined {
    const inCourse = /^(?:\$|%24)IMS-CC-FILEBASE(?:\$|%24)\/(.*)$/i.exec(address)?.[1];
    for (const written of [inCourse ?? address, decodedPath(inCourse ?? address)]) {
      const candidates = [join('web_resources', written), written, join(dirname(this.path), written)];
      const found = candidates.find((path) => this.files.has(path));
      if (found !== undefined) return found;
      if (inCourse !== undefined) {
        const alike = [...this.files].find((path) => path.endsWith(`/${written}`));
        if (alike !== undefined) return alike;
      }
    }
    return undefined;
  }
}

/** Canvas writes an equation as a picture with an attribute for its LaTeX. */
export const withLatex = (html: string): string =>
  html.replace(/<img\b[^<>]*>/gi, (image) => {
    if (!/\bequation_image\b/.test(image)) return image;
    const latex =
      /data-equation-content="([^"]*)"/i.exec(image)?.[1] ?? /\balt="(?:LaTeX: )?([^"]*)"/i.exec(image)?.[1];
    return latex === undefined ? image : `\\(${latex}\\)`;
  });
