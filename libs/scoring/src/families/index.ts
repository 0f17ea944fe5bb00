import type { Family } from '../comparison';
import { chosenBlanks, places, typedBlanks } from './blanks';
import { cells } from './cells';
import { formula, formulaBlanks } from './formulas';
import { matrix } from './matrix';
import { numberLine } from './number-line';
import { pairs } from './pairs';
import { sets } from './sets';
import { shading } from './shading';
import { gridded, shortText } from './single-texts';

const orders: Family = (question, validation) =>
  (validation.scoringType === 'partialMatchPairwise' ? pairs : places)(question, validation);

const FAMILIES: ReadonlyMap<string, Family> = new Map([
  ['mcq', sets],
  ['hotspot', sets],
  ['tokenhighlight', sets],
  ['choicematrix', matrix],
  ['association', chosenBlanks],
  ['clozetext', typedBlanks],
  ['clozeinlinetext', typedBlanks],
  ['clozedropdown', chosenBlanks],
  ['clozeassociation', chosenBlanks],
  ['imageclozetext', typedBlanks],
  ['imageclozedropdown', chosenBlanks],
  ['imageclozeassociation', chosenBlanks],
  ['imageclozeassociationV2', chosenBlanks],
  ['orderlist', orders],
  ['sortlist', places],
  ['shorttext', shortText],
  ['gridded', gridded],
  ['formulaV2', formula],
  ['clozeformula', formulaBlanks],
  ['clozeformulaV2', formulaBlanks],
  ['classification', cells],
  ['numberline', numberLine],
  ['simpleshading', shading],
]);

/** The rules of a question type; undefined for a type that the engine does not score. */
export function familyOf(questionType: string): Family | undefined {
  return FAMILIES.get(questionType);
}

/** The question types that this engine scores. */
export const SCORED_TYPES: readonly string[] = [...FAMILIES.keys()];

/** Whether scoring a question of the type compares formulas. For all others a response takes well below a second. */
export function isFormulaType(questionType: string): boolean {
  const family = familyOf(questionType);
  return family === formula || family === formulaBlanks;
}
