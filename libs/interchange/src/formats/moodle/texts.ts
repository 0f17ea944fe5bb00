import { decodeHTML } from 'entities';
import { type Asset, assetToken, type Original } from '../entry';
import { decodedPath, assetNameFrom } from '../names';
import { type Note, note, type NoteCode } from '../note';
import { sha256Of } from '../original';
import { htmlIn } from '../text-format';
import { type XmlElement } from '../xml';

/** The fields of combined feedback, which depends on the score. The bank keeps it in `metadata.moodle_feedback` of the item. */
export const COMBINED_FEEDBACK = ['correctfeedback', 'partiallycorrectfeedback', 'incorrectfeedback'] as const;

/** The address of a file: up to the quote that it began with, or up to the first blank or bracket. */
const ADDRESS = /(?:(?<=(["']))@@PLUGINFILE@@(\/(?:(?!\1)[^<>?])+)|@@PLUGINFILE@@(\/[^"'\s<>)?]+))(?:\?[^"'\s<>)]*)?/g;

/** A question of Moodle: its texts as HTML, its notes and its files. */
export class QuestionTexts {
  readonly assets = new Map<string, Asset>();
  /** The tokens of files by their content in base64, if encoding the bytes again gives the same text. */
  private readonly inline = new Map<string, string>();

  constructor(
    readonly question: XmlElement,
    /** The path of the file with the question. */
    readonly path: string,
    readonly reference: string,
    readonly notes: Note[],
  ) {}

  note(code: NoteCode, at: XmlElement, was: string): void {
    const made = note(code, `${this.path}#${at.path}`, was);
    const isKnown = this.notes.some((known) => known.code === code && known.at === made.at && known.was === made.was);
    if (!isKnown) this.notes.push(made);
  }

  /** The text of a child without markup: `defaultgrade`. */
  plain(name: string, of: XmlElement = this.question): string {
    const child = of.first(name);
    return (child?.first('text') ?? child)?.text.trim() ?? '';
  }

  /** A text field as HTML, whatever its format is. Its files become assets. */
  html(field: XmlElement | undefined): string {
    if (!field) return '';
    const text = (field.first('text') ?? field).text.trim();
    const files = new Map(field.all('file').map((file) => [pathOf(file), this.file(file)]));
    const html = htmlIn(text, field.attributes.format ?? 'html');
    return html.replace(ADDRESS, (whole, _quote, quoted: string | undefined, bare: string | undefined) => {
      const path = decodeHTML(quoted ?? bare!);
      const token = files.get(decodedPath(path)) ?? files.get(path);
      if (token === undefined) this.note('file-missing', field, path);
      return token ?? whole;
    });
  }

  /** The text of the question, and the picture below it that Moodle 1 keeps in an element of its own. */
  stimulus(): string {
    const text = this.html(this.question.first('questiontext'));
    const image = this.question.first('image');
    const path = image?.text.trim() ?? '';
    if (!image || path === '') return text;
    const content = this.question.first('image_base64');
    if (content && content.text.trim() !== '')
      return `${text}<p><img src="${this.stored(path, content.text)}" alt=""></p>`;
    this.note('file-missing', image, path);
    return text;
  }

  /** The token of a file that the XML contains. */
  file(file: XmlElement): string {
    return this.stored(pathOf(file).slice(1) || 'file', file.text);
  }

  private stored(path: string, base64: string): string {
    const bytes = Buffer.from(base64, 'base64');
    const name = this.nameFor(path, bytes);
    this.assets.set(name, { name, from: { bytes } });
    if (bytes.length > 0 && bytes.toString('base64') === base64) this.inline.set(base64, assetToken(name));
    return assetToken(name);
  }

  /** A name for a file. In Moodle, each text has files of its own, so that two of them may have the same path. */
  private nameFor(path: string, bytes: Buffer): string {
    for (let number = 1; ; number++) {
      const name = assetNameFrom(this.reference, number === 1 ? path : `${number}/${path}`);
      const known = this.assets.get(name)?.from;
      if (!known || ('bytes' in known && bytes.equals(known.bytes))) return name;
    }
  }

  /** The question exactly as the source has it, with tokens in place of files, so that each file is stored once. */
  original(format: string): Original {
    const { markup } = this.question;
    let short = markup;
    for (const [base64, token] of this.inline) short = short.replaceAll(`>${base64}<`, `>${token}<`);
    return { format, markup: short, sha256: sha256Of(markup) };
  }
}

const pathOf = ({ attributes: { path = '/', name = '' } }: XmlElement): string =>
  `${path.startsWith('/') ? '' : '/'}${path}${path.endsWith('/') ? '' : '/'}${name}`;
