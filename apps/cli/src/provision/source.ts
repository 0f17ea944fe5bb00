import {
  type Alias,
  type Document,
  type ErrorCode,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
} from 'yaml';
import { Fault, type Json, pointerNames } from '#kernel';
import { plain } from '../print';

/** The maximum nesting depth, which is also the limit of the API. No template is that deep. */
const MAX_DEPTH = 100;
/** A few kilobytes of aliases can expand to gigabytes. */
const MAX_ALIASES = 1000;
/** The largest number of faults that are listed. */
const LISTED = 50;

/**
 * A description in YAML, of which JSON is a subset. Knows the line of every value and collects faults. Faults never
 * repeat the text itself, because it may contain a misplaced secret.
 */
export class Source {
  /** The parsed text; undefined when it cannot be parsed. */
  readonly value: Json | undefined;
  private readonly lines = new LineCounter();
  private readonly document: Document.Parsed;
  private readonly refused: { offset: number; message: string }[] = [];

  /** @param name of the file, as faults show it. */
  constructor(
    private readonly name: string,
    text: string,
  ) {
    this.document = parseDocument(text, {
      // The core schema gives each text one meaning, without tags and merged keys. Dates are text.
      schema: 'core',
      version: '1.2',
      resolveKnownTags: false,
      merge: false,
      stringKeys: true,
      prettyErrors: false,
      logLevel: 'error',
      lineCounter: this.lines,
    });
    for (const error of [...this.document.errors, ...this.document.warnings]) {
      this.note(error.pos[0], wording(error));
      // The parser repeats this error for every level beyond the limit.
      if (error.code === 'RESOURCE_EXHAUSTION') break;
    }
    if (!this.isFaulty) this.inspect();
    if (!this.isFaulty) this.value = this.plain();
  }

  /** Whether any fault was found. */
  get isFaulty(): boolean {
    return this.refused.length > 0;
  }

  /**
   * Records a fault.
   * @param pointer JSON pointer to its place. `shown` selects the place of the value or of the member's name. For a
   *   missing member, the fault shows the place of its object.
   */
  refuse(pointer: string, message: string, shown: 'value' | 'name' = 'value'): void {
    this.note(this.offsetOf(pointer, shown), message);
  }

  /** @throws Fault that lists all faults by line. */
  throwIfFaulty(): void {
    if (!this.isFaulty) return;
    const lines = this.refused
      .sort((a, b) => a.offset - b.offset)
      .map(({ offset, message }) => {
        const { line, col } = this.lines.linePos(offset);
        return `${this.name}:${line}:${col}: ${message}`;
      });
    const more = lines.length > LISTED ? [`… and ${lines.length - LISTED} more.`] : [];
    const head = `${this.name} is not as it should be; nothing was changed.`;
    throw new Fault('value', [head, ...lines.slice(0, LISTED), ...more].join('\n'));
  }

  private note(offset: number, message: string): void {
    this.refused.push({ offset, message: plain(message) });
  }

  /** Rejects YAML that JSON cannot represent. */
  private inspect(): void {
    const scalar = (_key: unknown, node: Scalar) => {
      const wrong = unkeepable(node);
      if (wrong) this.note(node.range![0], wrong);
    };
    const pair = (_key: unknown, { key }: Pair) => {
      if (isScalar(key) && key.value === '__proto__') this.note(key.range![0], 'A member may not be named __proto__.');
    };
    const alias = (_key: unknown, node: Alias, path: readonly unknown[]) => {
      const meant = node.resolve(this.document);
      if (!meant) this.note(node.range![0], 'There is no anchor of this name before the alias.');
      else if (path.includes(meant)) this.note(node.range![0], 'An alias stands inside of what it stands for.');
    };
    const collection = (_key: unknown, node: Node, path: readonly unknown[]) => {
      if (path.filter(isCollection).length < MAX_DEPTH) return undefined;
      this.note(node.range![0], `This is nested deeper than ${MAX_DEPTH} levels.`);
      return visit.SKIP;
    };
    visit(this.document, { Scalar: scalar, Pair: pair, Alias: alias, Collection: collection });
  }

  private plain(): Json | undefined {
    try {
      return JSON.parse(JSON.stringify(this.document.toJS({ maxAliasCount: MAX_ALIASES }))) as Json;
    } catch (error) {
      if (!(error instanceof ReferenceError || error instanceof RangeError)) throw error;
      this.note(0, 'The aliases stand for too much; write out what they mean.');
      return undefined;
    }
  }

  private offsetOf(pointer: string, shown: 'value' | 'name'): number {
    let node: Node | null | undefined = this.document.contents;
    let offset = node?.range?.[0] ?? 0;
    for (const name of pointerNames(pointer)) {
      const within: unknown = isAlias(node) ? node.resolve(this.document) : node;
      if (!isCollection(within)) break;
      const pair = isMap(within) ? within.items.find(({ key }) => isScalar(key) && key.value === name) : undefined;
      const next = pair ? pair.value : isMap(within) ? undefined : within.get(Number(name), true);
      if (next === undefined) break;
      node = next as Node | null;
      const start = (shown === 'name' ? (pair?.key as Node | undefined) : node) ?? (pair?.key as Node | undefined);
      offset = start?.range?.[0] ?? offset;
    }
    return offset;
  }
}

/** Why a text or number cannot be stored exactly; undefined when it can. */
function unkeepable({ value, source }: Scalar): string | undefined {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) return 'The text holds half of a surrogate pair, which is not Unicode text.';
    if (value.includes('\0')) return 'The text holds the character U+0000; leave it out.';
  }
  if (typeof value !== 'number') return undefined;
  if (!Number.isFinite(value)) return 'This is not a number that JSON can hold; put it in quotes if it is text.';
  const digits = source?.replace(/^\+/, '') ?? '';
  const rounded = /^(-?\d{16,}|0[xo][\da-fA-F]{13,})$/.test(digits) && BigInt(digits) !== BigInt(value);
  return rounded ? 'The number has too many digits to be kept exactly; put it in quotes.' : undefined;
}

/** Replacements for messages of the parser that repeat the text. */
const WORDING: Partial<Record<ErrorCode, string>> = {
  BAD_DIRECTIVE: 'This directive is not known; leave it out.',
  BAD_DQ_ESCAPE: 'There is no such escape sequence; write a backslash in double quotes as \\\\.',
  BAD_SCALAR_START: 'A text that begins with this character must stand in quotes.',
  DUPLICATE_KEY: 'The member stands here twice.',
  MULTIPLE_DOCS: 'The file holds several documents; write one.',
  NON_STRING_KEY: 'The name of a member must be text.',
  RESOURCE_EXHAUSTION: `This is nested deeper than ${MAX_DEPTH} levels.`,
  TAG_RESOLVE_FAILED: 'Tags are not supported; write the value without one.',
  UNEXPECTED_TOKEN: 'This does not belong here: see the quotes, brackets and the indentation before it.',
};

const wording = ({ code, message }: YAMLError): string => WORDING[code] ?? `${message}.`;
