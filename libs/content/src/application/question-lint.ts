import { type JsonObject, nearest, place } from '#kernel';
import { type Finding, isManual, lint, MANUAL, SCORED_TYPES } from '#scoring';
import { type Kind } from '../domain/record';
import { type Warning } from '../domain/warning';

/** A question and the likely mistakes in its scoring. */
export interface QuestionFindings {
  reference: string;
  /** Each place is a JSON pointer into the question as callers see it: `/data/validation/valid_response`. */
  findings: Finding[];
}

/** At most 50 findings, none for a question that a person scores. Never throws, whatever the definition holds. */
export function lintQuestion({ type, data }: { type: string; data: JsonObject }): Finding[] {
  return lint({ ...data, type }).map((finding) => ({ ...finding, at: `/data${finding.at}` }));
}

/** Types that only features have. */
export const FEATURE_TYPES = new Set([
  'audioplayer',
  'calculator',
  'counter',
  'customfeature',
  'formulainput',
  'imagetool',
  'scrollablepassage',
  'sharedpassage',
  'videoplayer',
]);

/** Question types of the format that this service only stores. */
const ONLY_STORED =
  `bowtie chemistry clozechemistry custom fillshape formula graphplotting imageclozechemistry imageclozeformula
  imageclozeformulaV2 multistepmath nclex numberlineplot simplechart texthighlight`.split(/\s+/);

const KNOWN_TYPES = {
  question: new Set([...SCORED_TYPES, ...MANUAL, ...ONLY_STORED]),
  feature: FEATURE_TYPES,
};

/** Warnings about likely mistakes in a question or feature, at a place of the request. */
export function widgetWarnings(
  kind: Extract<Kind, 'question' | 'feature'>,
  widget: { type: string; data: JsonObject },
  at: string,
): Warning[] {
  const { type, data } = widget;
  const warnings: Warning[] = [];
  const warn = (rule: string, warnedAt: string, message: string) =>
    warnings.push({ rule, at: warnedAt, message: `${place(warnedAt)}: ${message}` });
  const isOther = kind === 'question' ? FEATURE_TYPES.has(type) : SCORED_TYPES.includes(type) || isManual(type);
  const other = kind === 'question' ? 'feature' : 'question';
  if (isOther) warn('other-kind', `${at}/type`, `${type} is a type of ${other}s; set it with itembank/${other}s.`);
  // Other programs have types of their own. Only one that resembles a known type is likely to be a mistake.
  const meant = isOther || KNOWN_TYPES[kind].has(type) ? undefined : nearest(type, KNOWN_TYPES[kind]);
  if (meant !== undefined) warn('type-unknown', `${at}/type`, `${type} is not a known type; did you mean ${meant}?`);
  const stated = data.type ?? null;
  if (stated !== null && stated !== type)
    warn('types-differ', `${at}/data/type`, `it differs from the type ${type} of the ${kind}, which is what counts.`);
  const findings = kind === 'question' ? lintQuestion(widget) : [];
  return [
    ...warnings,
    ...findings.map(({ code, at: found, message }) => ({ rule: code, at: `${at}${found}`, message })),
  ];
}
