/** How right parts of an answer turn into a score (docs/scoring.md). */
export const SCORING_TYPES = [
  'exactMatch',
  'partialMatch',
  'partialMatchV2',
  'partialMatchPairwise',
  'partialMatchElement',
  'partialMatchElementV2',
] as const;
export type ScoringType = (typeof SCORING_TYPES)[number];

const EXACT: readonly ScoringType[] = ['exactMatch'];
const PARTIAL: readonly ScoringType[] = ['exactMatch', 'partialMatch', 'partialMatchV2'];

/** The scoring types of each question type (docs/scoring.md, "Type by type"). */
const ALLOWED: ReadonlyMap<string, readonly ScoringType[]> = new Map([
  ['shorttext', EXACT],
  ['gridded', EXACT],
  ['formulaV2', EXACT],
  ['simpleshading', ['exactMatch', 'partialMatchV2']],
  ['mcq', PARTIAL],
  ['choicematrix', PARTIAL],
  ['association', PARTIAL],
  ['clozetext', PARTIAL],
  ['clozeinlinetext', PARTIAL],
  ['clozedropdown', PARTIAL],
  ['clozeassociation', PARTIAL],
  ['clozeformula', PARTIAL],
  ['clozeformulaV2', PARTIAL],
  ['imageclozetext', PARTIAL],
  ['imageclozedropdown', PARTIAL],
  ['imageclozeassociation', PARTIAL],
  ['imageclozeassociationV2', PARTIAL],
  ['hotspot', PARTIAL],
  ['tokenhighlight', PARTIAL],
  ['numberline', PARTIAL],
  ['sortlist', PARTIAL],
  ['orderlist', [...PARTIAL, 'partialMatchPairwise']],
  ['classification', [...PARTIAL, 'partialMatchElement', 'partialMatchElementV2']],
]);

/** Types that a person scores. */
export const MANUAL: ReadonlySet<string> = new Set([
  'audio',
  'chemistryessay',
  'chemistryessayV2',
  'drawing',
  'fileupload',
  'formulaessay',
  'formulaessayV2',
  'highlight',
  'imageupload',
  'longtext',
  'longtextV2',
  'plaintext',
  'rating',
  'video',
]);

/** The scoring types of a question type; all of them for an unknown type. */
export function scoringTypesOf(questionType: string): readonly ScoringType[] {
  return ALLOWED.get(questionType) ?? SCORING_TYPES;
}

export function isManual(questionType: string): boolean {
  return MANUAL.has(questionType);
}
