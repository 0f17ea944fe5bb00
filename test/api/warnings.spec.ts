import { type FindingCode, SCORED_TYPES } from '#scoring';
import { write } from '../support/bank';
import { activity, feature, item, question, several } from '../support/builders';
import { anEngine } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';
import { wrongQuestions } from '../support/wrong-questions';

const EVERY_RULE: Record<FindingCode, true> = {
  'scoring-type': true,
  score: true,
  'no-answer': true,
  'option-unknown': true,
  'formula-method': true,
  'formula-value': true,
  'never-matches': true,
  'all-right': true,
  'maximum-unreachable': true,
  'parts-differ': true,
};

describe.each(anEngine(__filename))('warnings about content on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;

  const set = async (questions: object[], more: object = {}) => {
    const answer = await client.set('itembank/questions', { questions, ...more });
    expectSuccess(answer);
    return answer.meta;
  };

  it('name the mistake and its place, and do not prevent storing', async () => {
    const wrong = wrongQuestions();
    expect(wrong.map(({ rule }) => rule).sort()).toEqual(Object.keys(EVERY_RULE).sort());
    const sent = [question(), ...wrong.map((each) => each.question)];
    const { warnings } = await set(sent);
    expect(warnings!.map(({ rule, pointer }) => ({ rule, pointer }))).toEqual(
      wrong.map(({ rule, pointer }, index) => ({ rule, pointer: `/questions/${index + 1}${pointer}` })),
    );
    for (const warning of warnings!) {
      expect(Object.keys(warning)).toEqual(['rule', 'pointer', 'message']);
      expect(warning.message).toMatch(/^\S.*\.$/);
    }
    const references = sent.map(({ reference }) => reference);
    const stored = await client.all('itembank/questions', { references, sort: 'asc' });
    expect(stored.map(({ reference, data }) => ({ reference, data }))).toEqual(
      sent.map(({ reference, data }) => ({ reference, data })),
    );
  });

  it('are absent without mistakes, without questions, and for the scoring of a feature', async () => {
    expect(await set([question(), question()])).not.toHaveProperty('warnings');
    expect((await set([])).warnings).toMatchObject([{ rule: 'empty-list' }]);
    const { type: _type, ...data } = wrongQuestions()[0]!.question.data;
    const answer = await client.set('itembank/features', { features: [feature({ type: 'customfeature', data })] });
    expectSuccess(answer);
    expect(answer.meta).not.toHaveProperty('warnings');
  });

  it('use the type of the question, whatever its definition says, and report a different type', async () => {
    const [wrong] = wrongQuestions();
    const data = { ...wrong!.question.data, type: 'longtext' };
    const differs = {
      rule: 'types-differ',
      pointer: '/questions/0/data/type',
      message: 'questions[0].data.type: it differs from the type mcq of the question, which is what counts.',
    };
    expect((await set([{ ...wrong!.question, data }])).warnings).toEqual([
      differs,
      expect.objectContaining({ rule: wrong!.rule }),
    ]);
    expect((await set([{ ...wrong!.question, type: 'longtext' }])).warnings).toMatchObject([{ rule: 'types-differ' }]);
    const { type: _type, ...untyped } = question().data;
    expect(await set([question({ data: untyped })])).not.toHaveProperty('warnings');
  });

  it('report a question with a type of features, and a feature with a type of questions', async () => {
    expect((await set([question(), question({ type: 'calculator', data: {} })])).warnings).toEqual([
      {
        rule: 'other-kind',
        pointer: '/questions/1/type',
        message: 'questions[1].type: calculator is a type of features; set it with itembank/features.',
      },
    ]);
    const features = ['mcq', 'longtextV2', 'sharedpassage', 'anything'].map((type) =>
      feature({ type, data: { type } }),
    );
    const answer = await client.set('itembank/features', { features });
    expectSuccess(answer);
    expect(answer.meta.warnings).toMatchObject([
      { rule: 'other-kind', pointer: '/features/0/type' },
      { rule: 'other-kind', pointer: '/features/1/type' },
    ]);
  });

  it('report a type that resembles a known one, and no other type, because programs have types of their own', async () => {
    const warningsOf = async (types: string[]) =>
      (await set(types.map((type) => question({ type, data: { type } })))).warnings;
    const mistaken = { mqc: 'mcq', MCQ: 'mcq', longtextv2: 'longtextV2', graphploting: 'graphplotting' };
    expect(await warningsOf(Object.keys(mistaken))).toEqual(
      Object.entries(mistaken).map(([type, meant], index) => ({
        rule: 'type-unknown',
        pointer: `/questions/${index}/type`,
        message: `questions[${index}].type: ${type} is not a known type; did you mean ${meant}?`,
      })),
    );
    expect(
      await warningsOf(['own-simulation', 'x', 'custom', 'formula', 'imageclozeformula', 'audio']),
    ).toBeUndefined();
    const answer = await client.set('itembank/features', { features: [feature({ type: 'calculater', data: {} })] });
    expectSuccess(answer);
    expect(answer.meta.warnings).toMatchObject([{ rule: 'type-unknown', pointer: '/features/0/type' }]);
  });

  it('report questions of an item that its definition does not show', async () => {
    const [shown, hidden, passage] = [question(), question(), feature()];
    await write(client, { questions: [shown, hidden], features: [passage] });
    const setItem = async (values: object) => {
      const answer = await client.set('itembank/items', { items: [item([shown.reference], values)] });
      expectSuccess(answer);
      return answer.meta;
    };
    const questions = [{ reference: shown.reference }, { reference: hidden.reference }];
    expect((await setItem({ questions, features: [passage.reference] })).warnings).toEqual([
      {
        rule: 'not-in-layout',
        pointer: '/items/0/questions/1',
        message: expect.stringContaining(`items[0].questions[1]: the definition does not show "${hidden.reference}"`),
      },
    ]);
    expect(await setItem({ questions: questions.slice(0, 1) })).not.toHaveProperty('warnings');
    expect(await setItem({})).not.toHaveProperty('warnings');
  });

  it("report subscores that name none of the activity's items", async () => {
    const asked = question();
    const [one, two, other] = several(3, () => item([asked.reference]));
    await write(client, { questions: [asked], items: [one!, two!, other!] });
    const subscore = (...items: unknown[]) => [{ id: 's', title: 'S', items }];
    const data = {
      items: [one!.reference],
      sections: [{ items: [{ reference: two!.reference }], subscores: subscore('nowhere') }],
      subscores: subscore(one!.reference, { reference: two!.reference }, other!.reference, 7),
      config: { subscores: subscore({ reference: 'nowhere' }) },
    };
    const answer = await client.set('itembank/activities', { activities: [activity([]), activity([], { data })] });
    expectSuccess(answer);
    const at = '/activities/1/data';
    expect(answer.meta.warnings).toMatchObject([
      {
        rule: 'subscore-item',
        pointer: `${at}/subscores/0/items/2`,
        message: `activities[1].data.subscores[0].items[2]: "${other!.reference}" is none of the items of the activity, so the subscore leaves it out.`,
      },
      { rule: 'subscore-item', pointer: `${at}/subscores/0/items/3` },
      { rule: 'subscore-item', pointer: `${at}/config/subscores/0/items/0` },
      { rule: 'subscore-item', pointer: `${at}/sections/0/subscores/0/items/0` },
    ]);
    const many = { items: [], subscores: subscore(...Array.from({ length: 60 }, (_, index) => `no-${index}`)) };
    const bounded = await client.set('itembank/activities', { activities: [activity([], { data: many })] });
    expect(bounded.meta.warnings).toHaveLength(50);
  });

  it('are at most 50, and come from the first questions', async () => {
    const two = () => {
      const made = question();
      return { ...made, data: { ...made.data, validation: { scoring_type: 'x', valid_response: { value: ['9'] } } } };
    };
    const { warnings } = await set([wrongQuestions()[1]!.question, ...several(49, two)]);
    expect(warnings).toHaveLength(50);
    expect(warnings!.slice(-3).map(({ pointer }) => pointer)).toEqual([
      '/questions/24/data/validation/scoring_type',
      '/questions/24/data/validation/valid_response/value',
      '/questions/25/data/validation/scoring_type',
    ]);
    const value = Array.from({ length: 80 }, (_, at) => `wrong ${at}`);
    const many = question();
    const data = { ...many.data, validation: { valid_response: { value } } };
    expect((await set([{ ...many, data }])).warnings).toHaveLength(50);
  });

  it('are part of the answer that is stored for an idempotency key', async () => {
    const questions = wrongQuestions().map((each) => each.question);
    const more = { meta: { idempotency_key: 'warned' } };
    const first = await set(questions, more);
    expect(first.warnings).toHaveLength(questions.length);
    expect(await set(questions, more)).toMatchObject({ idempotent_replay: true, warnings: first.warnings });
  });

  it('appear beside removed markup, and are about the stored content', async () => {
    const [, wrong] = wrongQuestions();
    const data = { ...wrong!.question.data, stimulus: '<script>x</script>Which?' };
    expect(await set([{ ...wrong!.question, data }])).toMatchObject({ sanitised: 1, warnings: [{ rule: 'score' }] });
    // Learners do not see the removed blank.
    const template = '{{response}}<script>{{response}}</script>';
    const cloze = { type: 'clozetext', template, validation: { valid_response: { score: 1, value: ['a', 'b'] } } };
    const [warning] = (await set([question({ type: 'clozetext', data: cloze })])).warnings!;
    expect(warning).toMatchObject({ rule: 'parts-differ' });
  });

  it('never reject a definition, whatever it contains', async () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 80; level++) deep = level % 2 ? [deep] : { value: deep };
    const long = Array.from({ length: 200 }, (_, at) => [`${at}`, null, { value: at }]);
    const strange = [
      null,
      true,
      -1,
      1e308,
      '',
      ' ',
      `${'x'.repeat(49)}😀`,
      '\u202e\u0007',
      [],
      {},
      [[]],
      [null, null],
      [{}],
      { constructor: 1, toString: 'x', length: -1, value: { method: {} } },
      deep,
      long,
    ];
    const members = ['options', 'stems', 'list', 'possible_responses', 'template', 'points', 'areas', 'ui_style'];
    const definitions = strange.flatMap((odd) => {
      const everywhere = Object.fromEntries(
        [...members, 'stimulus_list', 'max_length', 'max_selection', 'max_response_per_cell'].map((name) => [
          name,
          odd,
        ]),
      );
      const answer = { score: odd, value: odd, matching_rule: odd };
      return [
        { ...everywhere, validation: odd },
        { ...everywhere, valid_responses: odd, valid_score: odd },
        {
          ...everywhere,
          validation: { scoring_type: odd, valid_response: answer, alt_responses: [odd, answer], penalty: odd },
        },
      ];
    });
    const types = [...SCORED_TYPES];
    for (const [index, type] of types.entries()) {
      // Each type meets a part of the definitions, and all types together meet all of them repeatedly.
      const met = definitions.filter((_, at) => (at + index) % 4 === 0);
      const { warnings = [] } = await set(met.map((data) => question({ type, data })));
      for (const { pointer, message } of warnings) {
        expect(pointer).toMatch(/^\/questions\/\d+\/data\//);
        expect(message.isWellFormed()).toBe(true);
      }
    }
  });

  it('are found in content that is not stored, and are those that storing it returns', async () => {
    const sent = wrongQuestions().map((each) => each.question);
    const features = [feature({ type: 'mcq' })];
    const answer = await client.get('itembank/warnings', {
      questions: sent.map(({ type, data }) => ({ type, data })),
      features: features.map(({ type, data }) => ({ type, data })),
    });
    expectSuccess(answer);
    const references = sent.map(({ reference }) => reference);
    expect(await client.all('itembank/questions', { references })).toEqual([]);
    const stored = (await set(sent)).warnings!;
    const { warnings: ofFeatures } = (await client.set('itembank/features', { features })).meta;
    expect(answer.data).toEqual([...stored, ...ofFeatures!]);
    expect(answer.meta.records).toBe(stored.length + ofFeatures!.length);
  });

  it('are an empty list for content without mistakes and for a request without content', async () => {
    const { type, data } = question();
    expect((await client.get('itembank/warnings', { questions: [{ type, data }] })).data).toEqual([]);
    expect((await client.get('itembank/warnings', {})).data).toEqual([]);
    expect(await client.get('itembank/warnings', { questions: [{ type, data: 'x' }] })).toMatchObject({
      status: 400,
      meta: { errors: [{ pointer: '/questions/0/data' }] },
    });
  });

  it('are not returned for a restored question', async () => {
    const { question: wrong } = wrongQuestions()[0]!;
    await write(client, { questions: [wrong] });
    const { data } = await client.get('itembank/history', { kind: 'question', references: [wrong.reference] });
    const [{ revision }] = data as [{ revision: number }];
    const answer = await client.set('itembank/history/restore', {
      questions: [{ reference: wrong.reference, revision }],
    });
    expectSuccess(answer);
    expect(answer.meta).not.toHaveProperty('warnings');
  });
});
