import { type Json, type JsonObject } from '#kernel';
import { type Validation } from '#scoring';
import { type NoteCode } from '../../note';
import { type Compared } from './compared';
import { type Expressions } from './expressions';
import { type Vocabulary } from './vocabulary';

export interface Size {
  width: number;
  height: number;
}

/** The variables, texts and files that the writer of a question needs. */
export interface QuestionContext {
  v: Vocabulary;
  e: Expressions;
  /** A response that earns the most points; null where the rules score nothing. */
  right: Json;
  /** The identifier of its response variable, or of its nth one if it has several. */
  variable(place?: number): string;
  /** A text as XHTML. */
  html(text: Json | undefined): string;
  /** HTML with an element for each marked token. */
  tokens(html: string, element: (at: number) => [begin: string, end: string]): { xml: string; count: number };
  /** The address of a picture in the package, and its size in pixels. */
  picture(image: Json | undefined): { source: string; alt: string; size: Size } | undefined;
  note(code: NoteCode, was: string): void;
}

export interface Variable {
  identifier: string;
  cardinality: 'single' | 'multiple' | 'ordered';
  baseType: 'identifier' | 'string' | 'directedPair' | 'file';
  /** The right response. */
  correct: readonly string[];
  /** All accepted texts of a blank with their points, for programs that read no rules. */
  accepted?: { entries: readonly { key: string; value: number }[]; caseSensitive: boolean };
}

/** A question as QTI has it. */
export interface Written {
  body: string;
  variables: readonly Variable[];
  /** How responses are compared; undefined if a person scores them. */
  compared?: Compared;
}

/** Writes a question of one type; undefined if QTI cannot hold this question. */
export type QuestionWriter = (
  data: JsonObject,
  validation: Validation,
  context: QuestionContext,
) => Written | undefined;

export interface KnownType {
  write: QuestionWriter;
  /** The members of the data that QTI holds. */
  members: readonly string[];
}

export { entriesOf, isObject, isTrue, listOf, numberOf, objectOf, range, textOf } from '../../members';
