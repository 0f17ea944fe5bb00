import { type JsonObject } from '#kernel';
import { type Trial } from '../trials';

/** A response to try, with the texts of each response variable. */
export interface Try extends Omit<Trial, 'score'> {
  given: readonly (readonly string[])[];
}

/** A question that one or more interactions became. */
export interface Part {
  data: JsonObject & { type: string };
  /** Identifiers of the response variables. */
  variables: string[];
  /** Responses to try. Empty when a person scores the question. */
  tries: Try[];
  /**
   * Whether no other response earns anything: the tries cover all responses, or texts that no rule names earn
   * nothing.
   */
  isComplete: boolean;
  /**
   * Other spellings of numbers, such as 5.0 for 5, and numbers that are almost equal. The source may accept them, but a
   * text question here does not.
   */
  numberTries?: Try[];
  /** Texts of blanks only. Here they are no attempt, but rules of the source may give them points. */
  blankTries?: Try[];
}
