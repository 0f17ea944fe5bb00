import { FEATURE_MEMBERS, QUESTION_MEMBERS } from '#delivery';
import { inParts } from '#kernel';
import { SCORED_TYPES } from '#scoring';
import { write } from '../support/bank';
import { item } from '../support/builders';
import { deliveredQuestions, SECRET, SECRET_SCORE } from '../support/delivered-questions';
import { anEngine } from '../support/engines';
import { TestPage } from '../support/page';
import { serviceOfSuite, startServiceLater } from '../support/service';

// Content differs by type, so the tests read it untyped.
/* eslint-disable @typescript-eslint/no-explicit-any */

const QUESTIONS = deliveredQuestions();
/** Names of members that reveal the right answer. */
const REVEALING =
  /valid_resp|valid_score|"validation"|alt_resp|"penalty|"score"|max_score|rationale|rubric|sample_answer|"hint|authored_positions|shuffle_options|"title":"SECRET|"tags"|"note"|difficulty/;

describe.each(anEngine(__filename))('the content that a page gets on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  beforeEach(() => service.clock.advance(10_000));

  const setAll = async (questions: { reference: string; type: string; data: object }[], more: object = {}) => {
    for (const part of inParts(questions, 50)) await write(service.client, { questions: part });
    const items = questions.map(({ reference }) => item([reference], { reference: `i-${reference}`, ...more }));
    for (const part of inParts(items, 50)) await write(service.client, { items: part });
  };

  it('has a list of allowed members for every scored type, without a member that reveals the answer', () => {
    expect([...QUESTION_MEMBERS.keys()]).toEqual(expect.arrayContaining([...SCORED_TYPES]));
    expect(QUESTIONS.map(({ type }) => type).sort()).toEqual([...QUESTION_MEMBERS.keys()].sort());
    const named = JSON.stringify([...QUESTION_MEMBERS, ...FEATURE_MEMBERS]);
    expect(REVEALING.exec(named)).toBeNull();
  });

  it('holds no key, score, rationale, hint, title or tag of any type in any byte', async () => {
    const questions = QUESTIONS.map(({ type, definition }) => ({ reference: type, type, data: definition }));
    const secret = { title: SECRET, note: SECRET, description: SECRET, tags: { [SECRET]: [SECRET] } };
    await setAll(questions, {
      ...secret,
      metadata: { name: SECRET, acknowledgements: SECRET, import_source: { markup: SECRET } },
    });
    await write(service.client, {
      activities: [
        {
          reference: 'a-1',
          title: SECRET,
          tags: { [SECRET]: [SECRET] },
          data: {
            items: questions.map(({ reference }) => `i-${reference}`),
            config: { title: 'Test', administration: { pwd: SECRET }, adaptive_settings: SECRET },
            subscores: [{ id: SECRET, title: SECRET, items: ['i-mcq'] }],
            notes: SECRET,
          },
        },
      ],
    });
    const page = await TestPage.start(service, { activity_template_id: 'a-1' });
    expect(page.questions).toHaveLength(QUESTIONS.length);
    const given = page.text;
    expect(given).not.toContain(SECRET);
    expect(given).not.toContain(String(SECRET_SCORE));
    // Random ids may contain the digits, too.
    expect(given).not.toMatch(/(?<![\w-])7319(?![\w-])/);
    expect(REVEALING.exec(given)).toBeNull();
    for (const [index, { type, definition }] of QUESTIONS.entries()) {
      const shown = page.questions[index];
      expect(shown).toMatchObject({ type, stimulus: definition.stimulus, is_math: true });
      for (const look of ['ui_style', 'response_container', 'response_containers', 'max_response_per_cell'])
        expect([type, look, shown[look]]).toEqual([type, look, definition[look]]);
      expect(page.started.items[index].content).toContain(
        `<span class="learnosity-response question-${shown.response_id}">`,
      );
    }
    // The answers to a save, to its repetition and to a refused save reveal nothing either.
    const values = Object.fromEntries(
      QUESTIONS.map(({ right }, at) => [page.questions[at].response_id, right ?? 'words']),
    );
    const answers = [await page.save(values), await page.save({}, { save_number: 1, elapsed_seconds: 1 })];
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    for (const { text } of answers) expect(REVEALING.exec(text)).toBeNull();
  });

  it('shuffles order lists, and accepts answers as positions in the shown order', async () => {
    const orders = new Set<string>();
    for (let time = 0; time < 8; time++) {
      const page = await TestPage.start(service, { items: ['i-orderlist', 'i-classification'] });
      const [list, classes] = page.questions;
      expect(Object.keys(list).sort()).toEqual(['is_math', 'list', 'response_id', 'stimulus', 'type', 'ui_style']);
      orders.add(JSON.stringify(list.list));
      const written = QUESTIONS.find(({ type }) => type === 'orderlist')!.definition.list as string[];
      const right = written.map((text) => list.list.indexOf(text));
      const at = (text: string): number => classes.possible_responses.indexOf(text);
      const sorted = [
        [at('cat'), at('dog')],
        [at('oak'), at('elm')],
      ];
      expect((await page.submit({ [list.response_id]: right, [classes.response_id]: sorted })).status).toBe(200);
      const [ordered, classified] = (await page.stored()).responses;
      expect(ordered).toMatchObject({ response: { value: [0, 1, 2, 3, 4, 5] }, score: SECRET_SCORE });
      expect(classified).toMatchObject({
        response: {
          value: [
            [0, 1],
            [2, 3],
          ],
        },
        score: SECRET_SCORE,
      });
    }
    expect(orders.size).toBeGreaterThan(4);
  });

  it('shows no order list in an accepted order, because a learner could not give it as an answer', async () => {
    const accepted = ['["first","second","third"]', '["third","second","first"]'];
    const validation = {
      scoring_type: 'exactMatch',
      valid_response: { score: 2, value: [0, 1, 2] },
      alt_responses: [{ score: 1, value: ['2', '1', '0'] }],
    };
    const data = { type: 'orderlist', stimulus: 'Sort.', list: ['first', 'second', 'third'], validation };
    const pair = { ...data, list: ['first', 'second'], validation: { valid_response: { score: 1, value: [0, 1] } } };
    await write(service.client, {
      questions: [
        { reference: 'three', type: 'orderlist', data },
        { reference: 'two', type: 'orderlist', data: pair },
      ],
      items: [item(['three', 'two'], { reference: 'i-short-lists' })],
    });
    const shown = new Set<string>();
    for (let time = 0; time < 40; time++) {
      const [three, two] = (await TestPage.start(service, { items: ['i-short-lists'] })).questions;
      shown.add(JSON.stringify(three.list));
      expect(two.list).toEqual(['second', 'first']);
    }
    expect(accepted.filter((order) => shown.has(order))).toEqual([]);
    expect(shown.size).toBeGreaterThan(1);
  });

  it('shuffles the responses of titled groups, and accepts answers as positions in the shown order', async () => {
    const groups = [
      { title: 'Living', responses: ['cat', 'dog', 'oak'] },
      { title: 'Other', responses: ['stone', 'sand', 'salt'] },
    ];
    const validation = {
      valid_response: {
        score: 1,
        value: [
          [0, 1, 2],
          [3, 4, 5],
        ],
      },
    };
    const style = { ui_style: { column_count: 2 } };
    const listed = { type: 'classification', possible_responses: groups, validation, ...style };
    const apart = { type: 'classification', possible_response_groups: groups, validation, ...style };
    await setAll([
      { reference: 'grouped', type: 'classification', data: listed },
      { reference: 'apart', type: 'classification', data: apart },
    ]);
    const orders = new Set<string>();
    for (let time = 0; time < 8; time++) {
      const page = await TestPage.start(service, { items: ['i-grouped', 'i-apart'] });
      const shown = [page.questions[0].possible_responses, page.questions[1].possible_response_groups];
      const values = shown.map((given) => {
        orders.add(JSON.stringify(given));
        expect(given.map(({ title }: any) => title)).toEqual(['Living', 'Other']);
        const names = given.flatMap(({ responses }: any) => responses);
        return groups.map(({ responses }) => responses.map((name) => names.indexOf(name)));
      });
      const ids = page.questions.map(({ response_id: id }: any) => id);
      expect((await page.submit({ [ids[0]]: values[0], [ids[1]]: values[1] })).status).toBe(200);
      for (const stored of (await page.stored()).responses)
        expect(stored).toMatchObject({
          response: {
            value: [
              [0, 1, 2],
              [3, 4, 5],
            ],
          },
          score: 1,
        });
    }
    expect(orders.size).toBeGreaterThan(4);
  });

  it.each([
    ['numbers, in the key too', [1, 2, 3, 4, 5, 6]],
    ['numbers, as texts in the key', ['1', '2', '3', '4', '5', '6']],
  ])('does not show the responses of an association in the order of the key: %s', async (_, value) => {
    const list = [1, 2, 3, 4, 5, 6];
    const validation = { scoring_type: 'exactMatch', valid_response: { score: 1, value } };
    const menus = list.map((number) => [number, 0]);
    const reference = `ordered-${typeof value[0]}`;
    await setAll([
      {
        reference,
        type: 'association',
        data: { type: 'association', stimulus_list: list, possible_responses: list, validation },
      },
      {
        reference: `${reference}-in-menus`,
        type: 'clozedropdown',
        data: {
          type: 'clozedropdown',
          template: list.map(() => '{{response}}').join(' '),
          possible_responses: menus,
          validation,
        },
      },
    ]);
    const shown = new Set<string>();
    for (let time = 0; time < 4; time++)
      for (const { possible_responses: given } of (
        await TestPage.start(service, { items: [`i-${reference}`, `i-${reference}-in-menus`] })
      ).questions)
        shown.add(JSON.stringify(given));
    expect(shown.size).toBeGreaterThan(3);
  });

  it('keeps the shown order after a reload, and returns stored answers as positions in it', async () => {
    const page = await TestPage.start(service, { items: ['i-orderlist', 'i-mcq'] });
    const [list, choice] = page.questions;
    expect([...choice.presented_order.options].sort()).toEqual([0, 1, 2, 3]);
    await page.save({ [list.response_id]: [2, 1, 0, 3, 4, 5] });
    const again = await TestPage.start(service, { items: ['i-orderlist', 'i-mcq'], session_id: page.sessionId });
    expect(again.questions).toEqual(page.questions);
    expect(again.started.session).toMatchObject({ existing: true, state: 'resume', save_number: 1 });
    expect(again.started.responses[list.response_id]).toMatchObject({ value: [2, 1, 0, 3, 4, 5], revision: 1 });
  });

  it.each(QUESTIONS.map(({ type, definition }) => [type, definition] as const))(
    'ignores members of a %s that its list of allowed members does not name',
    async (type, definition) => {
      const variants = variantsOf(definition, type);
      const named = [definition, ...variants.map(({ data }) => data)];
      const references = named.map((_, index) => `${type}-${index}`);
      await setAll(named.map((data, index) => ({ reference: references[index]!, type, data })));
      const page = await TestPage.start(service, { items: references.map((reference) => `i-${reference}`) });
      const shown = page.questions.map(comparable);
      for (const [index, { what }] of variants.entries())
        expect({ what, shown: shown[index + 1] }).toEqual({ what, shown: shown[0] });
      expect(page.text).not.toContain(SECRET);
    },
  );

  it('contains only the type and the stimulus of a question that the player does not support', async () => {
    const data = { type: 'drawing', stimulus: 'Draw', image: { src: 'x.png' }, validation: { max_score: 3 } };
    await setAll([{ reference: 'unshown', type: 'drawing', data }]);
    const [shown] = (await TestPage.start(service, { items: ['i-unshown'] })).questions;
    expect(shown).toEqual({ type: 'drawing', stimulus: 'Draw', response_id: expect.any(String) });
  });

  it('contains the number of right parts only for a page that warns of unanswered ones', async () => {
    const config = { navigation: { warning_on_change: true } };
    const [counted] = (await TestPage.start(service, { items: ['i-mcq'], config })).questions;
    expect(counted.metadata).toEqual({ valid_response_count: 2 });
    const [plain] = (await TestPage.start(service, { items: ['i-mcq'] })).questions;
    expect(plain).not.toHaveProperty('metadata');
  });

  it('omits the members that the signed request hides, and shows instructors what was signed for them', async () => {
    const config = {
      ignore_question_attributes: ['ui_style', 'response_id'],
      questions_api_init_options: { showInstructorStimulus: true },
    };
    const [shown] = (await TestPage.start(service, { items: ['i-mcq'], config })).questions;
    expect(shown).not.toHaveProperty('ui_style');
    expect(shown).toMatchObject({ instructor_stimulus: SECRET, response_id: expect.any(String) });
  });
});

/** Removes what may differ between sessions and questions. */
function comparable({ response_id: _, presented_order: order, ...shown }: any): unknown {
  const sorted = (value: any): any =>
    Array.isArray(value) ? value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : value;
  return {
    ...shown,
    ...Object.fromEntries(
      ['list', 'possible_responses'].filter((name) => name in shown).map((name) => [name, sorted(shown[name])]),
    ),
    isOrdered: order === undefined ? undefined : Object.keys(order),
  };
}

/** Copies of the definition with one member added or changed, for each place outside the list of members. */
function variantsOf(definition: Record<string, unknown>, type: string): { what: string; data: Record<string, any> }[] {
  const variants: { what: string; data: Record<string, any> }[] = [];
  const names = new Set(['type', 'stimulus', 'is_math', 'instant_feedback', 'feedback_attempts', 'shuffle_options']);
  for (const name of Object.keys(QUESTION_MEMBERS.get(type)!)) names.add(name);
  const change = (what: string, edit: (data: Record<string, any>) => void) => {
    const data = structuredClone(definition);
    edit(data);
    variants.push({ what, data });
  };
  for (const name of Object.keys(definition))
    if (!names.has(name) && name !== 'instructor_stimulus') {
      change(`${name} is another`, (data) => (data[name] = [SECRET, { value: SECRET }]));
      change(`${name} is gone`, (data) => delete data[name]);
    }
  for (const name of ['answer', 'key', 'correct', 'feedback', 'explanation', 'constructor', 'toString'])
    change(`${name} is there`, (data) => (data[name] = SECRET));
  for (const path of objectsIn(definition))
    change(`${path.join('.')} holds more`, (data) => {
      const object = path.reduce<any>((value, name) => value[name], data);
      object.valid = SECRET;
      object.correct = { value: SECRET };
    });
  return variants;
}

function objectsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.entries(value).flatMap(([name, each]) => objectsIn(each, [...path, name]));
  return Array.isArray(value) || path.length === 0 ? within : [path, ...within];
}
