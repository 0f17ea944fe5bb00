import { type JsonObject } from '#kernel';
import { type Note, note, type NoteCode } from '../../note';
import { type Attributes, xmlElement, xmlText } from '../../xml-writing';

/** Functions that write parts of a question. */
export interface Fields {
  /** A text field with the files that it shows: `questiontext`. */
  html(name: string, text: string, attributes?: Attributes, more?: string): string;
  /** The file element of a picture; undefined when it is not a file of the bank. */
  file(address: string): { element: string; content: Buffer } | undefined;
  note(code: NoteCode, was: string): void;
}

/** A child with a text. */
export const plain = (name: string, text: string | number): string => xmlElement(name, {}, xmlText(String(text)));
export const textIn = (name: string, text: string, attributes: Attributes = {}): string =>
  xmlElement(name, attributes, plain('text', text));

const TOKEN = /itembank-asset:([A-Za-z0-9._/-]+)/g;

/** Fields with files of the bank. @param files by their names in the bank. */
export class QuestionFields implements Fields {
  constructor(
    private readonly files: ReadonlyMap<string, Buffer>,
    private readonly reference: string,
    private readonly tell: (note: Note) => void,
  ) {}

  html(name: string, text: string, attributes: Attributes = {}, more = ''): string {
    const used = new Set<string>();
    const shown = text.replace(TOKEN, (_, asset: string) => {
      used.add(asset);
      return `@@PLUGINFILE@@/${asset}`;
    });
    const files = [...used].map((asset) => this.element(asset));
    return xmlElement(name, { ...attributes, format: 'html' }, plain('text', shown), ...files, more);
  }

  file(address: string): { element: string; content: Buffer } | undefined {
    const [, name] = new RegExp(`^${TOKEN.source}$`).exec(address) ?? [];
    const content = name === undefined ? undefined : this.files.get(name);
    return content && { element: this.element(name!), content };
  }

  note(code: NoteCode, was: string): void {
    this.tell(note(code, this.reference, was));
  }

  private element(asset: string): string {
    const at = asset.lastIndexOf('/') + 1;
    return xmlElement(
      'file',
      { name: asset.slice(at), path: `/${asset.slice(0, at)}`, encoding: 'base64' },
      this.files.get(asset)?.toString('base64') ?? '',
    );
  }
}

export type Data = JsonObject & { type: string };

export const BLANK = '{{response}}';

/** The parts of a question of Moodle besides its name, text and points. */
export interface QuestionXml {
  type: string;
  grade: number;
  xml: string;
  /** The text of the question, if it differs from the stimulus. */
  text?: string;
}
