import type { Json, JsonObject } from '#kernel';
import { score } from '#scoring';
import { COLOUR_RULES } from '../../support/axe';
import { QuestionPage, type Review, type Shown } from './question-page';

/** The common parts of every case. */
export interface Case {
  /** The special feature of the case. */
  name: string;
  type: string;
  /** The delivered question, without its key. */
  question: JsonObject;
  /** The key, which gives `value` the maximum. Absent for a type that the engine does not score. */
  validation?: JsonObject;
  /** The right answer, as it is stored. */
  value: Json;
  /** A wrong answer. It earns nothing if there is a key. */
  wrong: Json;
  /** The accessibility tree of the unanswered question. It was copied from the output and then checked by reading. */
  tree: string;
  /** Texts that a review with the given marks shows for `wrong`. */
  review: Review;
  marks: readonly string[];
}

/** Each file of tests has one browser and one page. */
const page = new QuestionPage();
afterAll(() => page.close());

/** The page for the tests of a `describe`, cleared of earlier tests. */
export function questionPage(): QuestionPage {
  beforeAll(async () => {
    await page.open();
    await page.complaints();
  });
  return page;
}

/** Shows the question of a case first on a page. */
export const shownOf = ({ type, question }: Case): Shown => ({
  type,
  question,
  heading: { level: 3, text: 'Question 1' },
});

/** Tests each case: first what holds for every type, then what holds for its interaction. */
export function testCases<C extends Case>(
  cases: readonly C[],
  testInteraction: (page: QuestionPage, given: C, shown: Shown) => void,
): void {
  describe.each(cases.map((given) => [`${given.type}, ${given.name}`, given] as const))('%s', (_, given) => {
    const page = questionPage();
    commonTests(page, given);
    testInteraction(page, given, shownOf(given));
  });
}

/** @param expectNoAnswer checks the question that is shown. */
export function testReadOnly(page: QuestionPage, shown: Shown, expectNoAnswer: () => Promise<void>): void {
  it('cannot be answered when it is read-only', async () => {
    for (const readOnly of [{ disabled: true }, { mode: 'preview' }, { mode: 'review' }] as const) {
      await page.show({ ...shown, ...readOnly });
      await expectNoAnswer();
    }
  });
}

/** Tests that hold for every type. */
export function commonTests(page: QuestionPage, given: Case): void {
  const { type, question } = given;
  const shown = shownOf(given);
  const modes: Record<string, Shown> = {
    unanswered: shown,
    answered: { ...shown, value: given.value },
    disabled: { ...shown, value: given.value, disabled: true },
    'review of a wrong answer': { ...shown, mode: 'review', value: given.wrong, review: given.review },
    'review without an answer': { ...shown, mode: 'review', value: null, review: { score: null, maxScore: 1 } },
    'review without marks': { ...shown, mode: 'review', value: given.value, review: null },
    preview: { ...shown, mode: 'preview' },
  };

  it('has the expected accessibility tree', async () => {
    await page.show(shown);
    expect((await page.tree()).split('\n')).toEqual(given.tree.trim().split('\n'));
  });

  it('has no accessibility violations in any mode', async () => {
    await page.showTogether(modes);
    for (const scheme of ['dark', 'light'] as const) {
      await page.colourScheme(scheme);
      // Dark schemes differ only in colours.
      const rules = scheme === 'dark' ? COLOUR_RULES : undefined;
      expect([scheme, await page.axeViolations(rules)]).toEqual([scheme, []]);
      await page.picture(`${type}-${given.name}-${scheme}`);
    }
    expect(await page.smallTargets()).toEqual([]);
    expect(await page.complaints()).toEqual([]);
  });

  it('fits into a narrow window, in both writing directions, and supports forced colours', async () => {
    await page.resize(320);
    try {
      for (const direction of ['rtl', 'ltr'] as const)
        for (const [mode, each] of Object.entries(modes)) {
          await page.show({ ...each, direction });
          expect([direction, mode, await page.overflow()]).toEqual([direction, mode, 0]);
          await page.picture(`${type}-${given.name}-${mode}-narrow-${direction}`);
        }
      await page.forcedColours(true);
      expect(await page.axeViolations()).toEqual([]);
    } finally {
      await page.forcedColours(false);
      await page.resize();
    }
  });

  it('shows in forced colours which of its buttons are pressed, also beside the focus', async () => {
    await page.show(shown);
    await page.forcedColours(true);
    try {
      expect(await page.unseenPresses()).toEqual([]);
    } finally {
      await page.forcedColours(false);
    }
  });

  it('keeps its controls large enough on a page that makes `rem` small', async () => {
    await page.rootFont('10px');
    try {
      await page.show(shown);
      expect(await page.smallTargets()).toEqual([]);
      expect(await page.smallBoxes()).toEqual([]);
    } finally {
      await page.rootFont('');
    }
  });

  it('shows a given value, before or after the question, without reporting a change', async () => {
    await page.show(shown);
    const empty = await page.tree();
    await page.set({ value: given.value });
    const answered = await page.tree();
    expect(answered).not.toBe(empty);
    expect(await page.attempted()).toBe('fully_attempted');
    await page.show({ ...shown, value: given.value });
    expect(await page.tree()).toBe(answered);
    await page.set({ value: null });
    expect(await page.tree()).toBe(empty);
    expect(await page.attempted()).toBe('not_attempted');
    await page.set({ mode: 'review', value: given.wrong, review: given.review });
    expect(await page.changes()).toEqual([]);
  });

  it('shows the marks in review', async () => {
    await page.show({ ...shown, mode: 'review', value: given.wrong, review: given.review });
    const tree = await page.tree();
    for (const text of given.marks) expect(tree).toContain(text);
  });

  it('is shown in German', async () => {
    await page.show({ ...shown, language: 'de', mode: 'review', value: given.wrong, review: given.review });
    expect(await page.tree()).toContain('Punkte: ');
  });

  it.each([
    ['nothing', {}],
    ['lists that are none', { options: 1, list: {}, template: [], possible_responses: 'x', stems: null, ui_style: [] }],
    [
      'entries that are none',
      { options: [null, 1], list: [[]], template: '', possible_responses: [{}, null], stems: [3] },
    ],
  ])('survives a wrong definition: %s', async (_, wrong) => {
    const values = [null, 'x', 7, ['x', null, { x: 1 }], { x: [] }];
    const reviewed = { mode: 'review', review: given.review } as const;
    await page.showEach(
      values.flatMap((value) => [{}, reviewed].map((more) => ({ type, question: wrong, value, ...more }))),
    );
    const serious = (await page.complaints()).filter((text) => !text.startsWith('Itembank: '));
    expect(serious).toEqual([]);
  });

  const { validation } = given;
  if (validation)
    it('earns its maximum for the right answer, and nothing for a wrong one', () => {
      const definition = { ...question, type, validation };
      const right = score(definition, { value: given.value });
      expect(right).toMatchObject({ score: right.maxScore, isValid: true });
      expect(right.maxScore).toBeGreaterThan(0);
      expect(score(definition, { value: given.wrong }).score).toBe(0);
    });
}
