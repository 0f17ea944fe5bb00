import * as fc from 'fast-check';
import { type Json, type JsonObject } from '#kernel';
import { choicesOf } from '#scoring';
import { type Session } from '#sessions';
import { anonymous, chosenOnly } from './anonymous-session';

const options = ['a', 'b', 'other'].map((value) => ({ label: value, value }));
const QUESTIONS: [string, JsonObject][] = [
  ['mcq', { options }],
  ['clozeassociation', { template: '{{response}} {{response}}', possible_responses: ['a', 'b', 'other'] }],
  ['choicematrix', { stems: ['x', 'y'], options: ['Yes', 'No'] }],
  ['orderlist', { list: ['x', 'y', 'z'] }],
];
/** Arbitrary JSON. Much of it is not a valid answer to any question. */
const entry = fc.oneof(
  fc.constantFrom<Json>('a', 'b', 'other', '0', 0, 1, 2, null, true, '', 'secret', { secret: 'secret' }),
  fc.string(),
  fc.integer(),
);
const value = fc.oneof(entry, fc.array(fc.oneof(entry, fc.array(entry, { maxLength: 4 })), { maxLength: 5 }));

describe('chosenOnly', () => {
  it.each(QUESTIONS)('keeps the counted choices of an answer to %s, and nothing else', (type, question) => {
    const choices = choicesOf(type, { type, ...question })!;
    const offered = new Set(choices.offered.map(({ place, key }) => `${place} ${key}`));
    const places = new Set(choices.offered.map(({ place }) => place));
    /**
     * The choices that statistics count: each offered choice by its place, and any other choice as "something else".
     */
    const counted = (answer: Json) =>
      choices
        .chosenIn(answer)
        .filter(({ place }) => places.has(place))
        .map(({ place, key }) => (offered.has(`${place} ${key}`) ? `${place} ${key}` : `${place} something else`));
    fc.assert(
      fc.property(value, (given) => {
        const left = chosenOnly(given, choices);
        expect(new Set(counted(left))).toEqual(new Set(counted(given)));
        const texts = JSON.stringify(left).match(/"[^"]*"/g) ?? [];
        const known = [...choices.offered.map(({ key }) => key), 'other', 'other*'];
        for (const text of texts) expect(known).toContain(JSON.parse(text));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('removes the answer to a question without choices', () => {
    expect(chosenOnly('My essay', choicesOf('longtextV2', { stimulus: 'Write' }))).toBeNull();
  });
});

describe('anonymous', () => {
  const startedAt = Date.UTC(2026, 4, 17, 10, 11, 12);
  const session = {
    id: 'ID',
    sessionId: 'SESSION',
    userId: 'USER',
    activityId: 'activity',
    activityTemplateId: 'template',
    formId: 'form',
    status: 'Completed',
    startedAt,
    completedAt: startedAt + 499_000,
    updatedAt: 1,
    totals: { score: 1, maxScore: 2, numQuestions: 1, numAttempted: 1 },
    responses: [],
    items: [],
    subscores: null,
    metadata: {},
    tags: [],
    adaptive: null,
    customState: null,
  } satisfies Session;

  it('keeps the month, the duration in whole minutes, and an activity only if other learners took it too', () => {
    const { id, duration, activityId, activityTemplateId } = anonymous(session, [], true);
    expect([duration, activityId, activityTemplateId]).toEqual([8 * 60_000, 'activity', 'template']);
    const other = anonymous({ ...session, startedAt: startedAt + 86_400_000 }, [], false);
    expect(other.activityId).toBeNull();
    expect(id.slice(0, 10)).toBe(other.id.slice(0, 10));
    expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(id).not.toBe(other.id);
  });
});
