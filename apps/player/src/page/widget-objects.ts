import { listOf, objectOf, textOf } from '../members';
import type { FeatureView } from '../feature-view';
import type { ItemView } from '../item-view';
import type { QuestionView, ValidateSettings } from '../question-view';
import type { Events } from './events';
import { refusing, UNSUPPORTED_OF_QUESTION } from './unsupported';

/** The methods with which pages listen to events. */
export const listening = (events: Events) => ({
  on: events.on.bind(events),
  once: events.once.bind(events),
  off: events.off.bind(events),
});

export function scoreOf({ checked }: QuestionView): { score: number | null; max_score: number | null } {
  return { score: checked?.score ?? null, max_score: checked?.max_score ?? null };
}

/** The score of an item by its scoring type; null as long as no answer has a score. */
export function itemScoreOf({ questions, state: { item } }: ItemView) {
  const type = item.metadata['scoring_type'];
  const scores = questions.map((view) => ({ response_id: view.responseId, ...scoreOf(view) }));
  // As in the scoring of the service, a question without points decides nothing.
  const isFull = ({ score, max_score: max }: (typeof scores)[number]) =>
    max === 0 || (max !== null && score !== null && score >= max);
  const firstWrong = scores.findIndex((each) => !isFull(each));
  const max = sumOf(scores.map((each) => each.max_score));
  const counted = type === 'dependent' && firstWrong >= 0 ? scores.slice(0, firstWrong + 1) : scores;
  const sum = sumOf(counted.map(({ score }) => score));
  const earned = type !== 'dichotomous' ? sum : firstWrong < 0 ? max : 0;
  const isScored = scores.some(({ score }) => score !== null);
  return { type, score: isScored ? earned : null, max_score: max, question_scores: scores };
}

/** The sum of points, without errors of binary fractions. */
const sumOf = (points: readonly (number | null)[]): number =>
  Number(points.reduce<number>((all, each) => all + (each ?? 0), 0).toFixed(10));

/** The public methods of one question. */
export function questionObject(view: QuestionView): object {
  return {
    ...listening(view.events),
    getQuestion: () => view.question,
    getMetadata: () => view.question['metadata'] ?? {},
    getResponse: () => view.response,
    getScore: () => scoreOf(view),
    isValid: () => view.checked?.is_valid ?? false,
    isAttempted: () => view.response !== null,
    getAttemptedStatus: () => view.element?.attempted ?? 'not_attempted',
    checkValidation: () => ({ has_validation: view.canCheck }),
    mapValidationMetadata: (key: string) => validationMetadata(view, key),
    validate: (settings?: ValidateSettings) => void view.validate(settings),
    resetValidationUI: () => view.hideReview(),
    isMaskable: () => view.element?.isMaskable ?? false,
    masking: (isOn = true) => (view.masking = isOn),
    disable: () => view.disable('page'),
    enable: () => view.disable('page', false),
    render: () => void view.render(),
    resetResponse: () => view.reset(),
    simpleFeatures: () => Object.fromEntries(view.simpleFeatures.map((each) => [each.id, featureObject(each)])),
    ...refusing(UNSUPPORTED_OF_QUESTION),
  };
}

/** The public methods of one feature. Features without sound or video ignore `play`, `pause` and `stop`. */
export function featureObject(view: FeatureView): object {
  return {
    ...listening(view.events),
    getFeature: () => view.feature,
    play: () => void view.media?.play().catch(() => undefined),
    pause: () => view.media?.pause(),
    stop: () => {
      const { media } = view;
      if (!media) return;
      media.pause();
      media.currentTime = 0;
    },
  };
}

interface MappedEntry {
  index: number;
  value: unknown;
  metadata: string;
}

/** Types whose rationales belong to options. Those of other types belong to the places of the response. */
const BY_OPTION = ['mcq', 'hotspot', 'tokenhighlight'];

/**
 * The rationales of the last check, grouped by verdict. The service sends only those of given answers, so `unattempted` is
 * empty.
 *
 * @returns false if there are none.
 */
function validationMetadata(
  { question, checked, value }: QuestionView,
  key: string,
): false | Record<'correct' | 'incorrect' | 'unattempted', MappedEntry[]> {
  const texts = checked?.review.responseRationale;
  if (key !== 'distractor_rationale_response_level' || !texts) return false;
  const entries = Array.isArray(value) ? (value as unknown[]) : [value];
  const names = question['type'] === 'mcq' ? listOf(question['options']).map(nameOf) : texts.map((_, at) => String(at));
  const mapped = { correct: [] as MappedEntry[], incorrect: [] as MappedEntry[], unattempted: [] as MappedEntry[] };
  for (const [index, metadata] of texts.entries()) {
    if (!metadata) continue;
    const place = BY_OPTION.includes(String(question['type'])) ? entries.map(entryText).indexOf(names[index]!) : index;
    const verdict = checked.review.parts?.[place];
    if (typeof verdict !== 'boolean') continue;
    mapped[verdict ? 'correct' : 'incorrect'].push({ index, value: entries[place], metadata });
  }
  return mapped;
}

/** The value of an option of mcq, as responses have it. */
const nameOf = (option: unknown, at: number): string => {
  const value: unknown = typeof option === 'object' ? objectOf(option)['value'] : option;
  const text = entryText(value);
  return text.trim() === '' ? String(at) : text;
};

const entryText = (entry: unknown): string =>
  typeof entry === 'boolean' || typeof entry === 'number' ? String(entry) : (textOf(entry) ?? '');
