import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Ajv2020 from 'ajv/dist/2020';
import { SessionStatuses, SessionTags } from '#sessions';
import { ANSWERABLE, answerableQuestions, referenceOf } from '../support/answerable';
import { write } from '../support/bank';
import { type Answer } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess, literally } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { itemOf } from '../support/session-bank';
import { resultsOf, resultsOfStarted, sessionOf, submission, submit } from '../support/submissions';

const PATH = 'sessions';

// Templates and sessions have different contents by type, and tests access them freely.
/* eslint-disable @typescript-eslint/no-explicit-any */

const choice = (reference: string, value: string[], score = 1) => ({
  reference,
  type: 'mcq',
  data: {
    options: ['a', 'b', 'c'].map((each) => ({ label: each, value: each })),
    shuffle_options: {},
    validation: { scoring_type: 'exactMatch', valid_response: { score, value } },
  },
});

describe.each(anEngine(__filename))('submitting sessions on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  const { client } = service;
  beforeAll(async () => {
    await write(client, { questions: answerableQuestions() });
    await write(client, {
      questions: [
        choice('edited', ['a'], 2),
        choice('q-1', ['a']),
        choice('q-2', ['b']),
        { ...choice('menu', ['a']), type: 'clozedropdown' },
      ],
    });
    await write(client, {
      items: [
        itemOf('all', ...ANSWERABLE.map((_, index) => referenceOf(index))),
        itemOf('edited-item', 'edited'),
        itemOf('two', 'q-1', 'q-2'),
        itemOf('menu-item', 'menu'),
      ],
      activities: [
        {
          reference: 'a-1',
          data: { items: ['two', 'edited-item'], subscores: [{ id: 's', title: 'S', items: ['two'] }] },
        },
      ],
    });
  });
  beforeEach(() => service.clock.advance(10_000));

  const newTemplate = async (request: object, as = client): Promise<any> => {
    const answer = await as.get('sessions/templates', request);
    expectSuccess(answer);
    return answer.data;
  };
  const entry = (responses: object[], more: object = {}) => ({
    user_id: 'learner',
    activity_id: 'activity',
    session_id: randomUUID(),
    responses,
    ...more,
  });
  const send = (template: unknown, data: unknown[], more: object = {}, as = client): Promise<Answer> =>
    as.set(PATH, { data_format: 'from_template', template, data, ...more });
  const accepted = async (answer: Answer): Promise<any> => {
    expect(answer.data).toEqual({ job_reference: expect.any(String) });
    return resultsOfStarted(service, answer);
  };
  const stored = (sessionId: string) => sessionOf(service, sessionId);
  const faultsOf = ({ meta }: Answer) => meta.errors?.map(({ code, pointer }) => [code, pointer]);
  /** Everything that a submission may write. The numbers of events are left out, because they are set in the background. */
  const written = () =>
    Promise.all(
      ['job', 'form', 'session', 'author'].map((table) =>
        service.database.rows(`SELECT COUNT(*) AS count FROM ${table}`),
      ),
    );
  /** Checks that the request is rejected and writes nothing. */
  const expectRejection = async (
    call: () => Promise<Answer>,
    status: number,
    code: number,
    says: string,
    at?: string,
  ) => {
    const before = await written();
    const answer = await call();
    expectFailure(answer, status, code, literally(says));
    if (at !== undefined) expect(answer.meta.errors?.[0]?.pointer).toBe(at);
    expect(await written()).toEqual(before);
    return answer;
  };

  describe('submissions for a template', () => {
    it('are saved and scored as completed sessions, with every type of question', async () => {
      const template = await newTemplate({ items: ['all'] });
      const rounds = Math.max(...ANSWERABLE.map(({ right }) => right.length));
      const data = Array.from({ length: rounds }, (_, turn) =>
        entry(
          ANSWERABLE.flatMap(({ literal, right }, index) => {
            const { value, more } = right[turn] ?? {};
            return right[turn] ? [{ question_id: template.questions[index].id, type: literal, value, ...more }] : [];
          }),
        ),
      );
      expect(await accepted(await send(template, data))).toMatchObject({ saved: rounds, unchanged: 0, refused: 0 });
      const now = service.clock.now();
      for (const [turn, { session_id }] of data.entries()) {
        const session = await stored(session_id);
        expect(session).toMatchObject({
          userId: 'learner',
          activityId: 'activity',
          activityTemplateId: null,
          status: 'Completed',
          startedAt: now,
          completedAt: now,
          subscores: null,
          metadata: { items_api_version: 'v1', activity_template_id: null },
        });
        for (const [index, { type, literal, right }] of ANSWERABLE.entries()) {
          const sent = right[turn];
          const { response, score, revision } = session.responses[index]!;
          if (!sent) expect([type, response, score]).toEqual([type, null, null]);
          else
            expect([type, { response, score, revision }]).toEqual([
              type,
              {
                response: { value: sent.stored ?? sent.value, type: literal, apiVersion: 'v1', ...sent.more },
                score: sent.score,
                revision: 1,
              },
            ]);
        }
      }
    });

    it('are rejected with the names of all invalid answers, and start no job', async () => {
      const template = await newTemplate({ items: ['all'] });
      for (const [index, { type, literal, wrong }] of ANSWERABLE.entries()) {
        const question_id = template.questions[index].id;
        for (const { value, code, at, says } of wrong) {
          const response = { question_id, type: literal, value };
          const answer = await send(template, [entry([]), entry([response])]);
          expect([type, value, answer.meta.code, answer.meta.message]).toEqual([
            type,
            value,
            code,
            expect.stringMatching(literally(says)),
          ]);
          expect(answer.meta.errors?.[0]?.pointer).toBe(`/data/1/responses/0${at}`);
        }
        const other = literal === 'array' ? 'string' : 'array';
        const answer = await send(template, [entry([{ question_id, type: other, value: [] }])]);
        expectFailure(
          answer,
          400,
          20004,
          literally(`data[0].responses[0].type must be "${literal}" for a question of the type ${type}`),
        );
      }
      // One answer lists the faults of all entries, in order.
      const data = ANSWERABLE.map(({ literal, wrong }, index) =>
        entry([{ question_id: template.questions[index].id, type: literal, value: wrong[0]!.value }]),
      );
      const answer = await expectRejection(
        () => send(template, data.slice(0, -1)),
        400,
        ANSWERABLE[0]!.wrong[0]!.code,
        '',
      );
      expect(faultsOf(answer)).toEqual(
        ANSWERABLE.slice(0, -1).map(({ wrong: [{ code, at } = { code: 0, at: '' }] }, index) => [
          code,
          `/data/${index}/responses/0${at}`,
        ]),
      );
    });

    it('are scored by the questions of the template, even if they were edited since', async () => {
      const old = await newTemplate({ items: ['edited-item', 'two'] });
      await write(client, { questions: [choice('edited', ['c'], 5)], items: [itemOf('edited-item', 'edited', 'q-1')] });
      const present = await newTemplate({ items: ['edited-item', 'two'] });
      expect(present.questions[0].id).not.toBe(old.questions[0].id);
      const answers = (template: any) =>
        template.questions.map(({ id }: any) => ({ question_id: id, type: 'array', value: ['a'] }));
      const [before, after] = [entry(answers(old)), entry(answers(present))];
      expect(await accepted(await send(old, [before]))).toMatchObject({ saved: 1 });
      expect(await accepted(await send(present, [after]))).toMatchObject({ saved: 1 });
      expect(await stored(before.session_id)).toMatchObject({ totals: { score: 3, maxScore: 4, numQuestions: 3 } });
      expect(await stored(after.session_id)).toMatchObject({ totals: { score: 2, maxScore: 8, numQuestions: 4 } });
    });

    it('are accepted for an item that was renamed since', async () => {
      await write(client, { items: [itemOf('before', 'q-1')] });
      const template = await newTemplate({ items: ['before'] });
      await write(client, { items: [{ ...itemOf('before', 'q-1'), new_reference: 'after' }] });
      const sent = entry([{ question_id: template.questions[0].id, type: 'array', value: ['a'] }]);
      expect(await accepted(await send(template, [sent]))).toMatchObject({ saved: 1 });
      expect(await stored(sent.session_id)).toMatchObject({ items: [{ reference: 'before', scoring: { score: 1 } }] });
    });

    it('use the scoring type and the subscores of the template', async () => {
      const template = await newTemplate({
        items: ['two'],
        scoring_type: 'dichotomous',
        subscores: [{ id: 'half', title: 'Half', items: ['two'] }],
      });
      const sent = entry([{ question_id: template.questions[0].id, type: 'array', value: ['a'] }]);
      await accepted(await send(template, [sent]));
      expect(await stored(sent.session_id)).toMatchObject({
        totals: { score: 0, maxScore: 2, numAttempted: 1 },
        items: [{ scoring: { type: 'dichotomous' } }],
        subscores: [{ id: 'half', title: 'Half', score: 0, maxScore: 2, attemptedMaxScore: 1, items: ['two'] }],
      });
    });

    it('belong to the activity of the template', async () => {
      const template = await newTemplate({ activity_template_id: 'a-1' });
      await write(client, { activities: [{ reference: 'a-1', data: { items: ['two'] } }] });
      const sent = entry([]);
      await accepted(await send(template, [sent]));
      const { activityTemplateId, metadata, subscores } = await stored(sent.session_id);
      expect([activityTemplateId, metadata.activity_template_id]).toEqual(['a-1', 'a-1']);
      expect(subscores).toMatchObject([{ id: 's', items: ['two'] }]);
    });

    it('are accepted with the template as clients in several languages return it', async () => {
      const template = await newTemplate({ activity_template_id: 'a-1' });
      // PHP sends lists for empty and for numbered objects; others leave null out.
      const rewritten = JSON.parse(
        JSON.stringify(template, (_, value: unknown) => {
          if (value === null) return undefined;
          const isEmpty = typeof value === 'object' && Object.keys(value).length === 0;
          if (isEmpty) return [];
          return typeof value === 'object' && !Array.isArray(value)
            ? Object.fromEntries(Object.entries(value).reverse())
            : value;
        }),
      );
      expect(JSON.stringify(rewritten)).toContain('"shuffle_options":[]');
      expect(await accepted(await send(rewritten, [entry([])]))).toMatchObject({ saved: 1 });
    });

    it('keep a session that is sent again unchanged, and are rejected for that of another learner', async () => {
      const template = await newTemplate({ items: ['two'] });
      const first = entry([{ question_id: template.questions[0].id, type: 'array', value: ['a'] }]);
      await accepted(await send(template, [first]));
      const { session_id } = first;
      const before = await stored(session_id);
      service.clock.advance(2 * 60 * 60_000);
      expect(await accepted(await send(template, [first]))).toMatchObject({ saved: 0, unchanged: 1 });
      expect(await stored(session_id)).toEqual(before);
      const theirs = await accepted(await send(template, [{ ...first, user_id: 'another' }]));
      expect(theirs).toMatchObject({ saved: 0, refused: 1, sessions: [{ session_id, status: 'refused' }] });
      expect(theirs.sessions[0].message).toContain('belongs to another user');
      expect(await stored(session_id)).toEqual(before);
      expect(before).toMatchObject({ totals: { score: 1, maxScore: 2 } });
    });

    it('are rejected with an explanation for a reference instead of an id, null, or a type of question', async () => {
      const template = await newTemplate({ items: ['two'] });
      const { id } = template.questions[0];
      const wrong = (packet: object) => () =>
        send(template, [entry([{ question_id: id, type: 'array', value: [], ...packet }])]);
      const says = `is the reference of a question; send its id from template.questions, "${id}"`;
      await expectRejection(wrong({ question_id: 'q-1' }), 400, 30001, says, '/data/0/responses/0/question_id');
      await expectRejection(wrong({ value: null }), 400, 20000, 'data[0].responses[0].value is required; it is null');
      await expectRejection(
        wrong({ type: 'mcq' }),
        400,
        20004,
        'must be "array" for a question of the type mcq; it is "mcq". It names',
      );
    });

    it('have different ids for questions with equal content', async () => {
      const data = { ...choice('same', ['a']).data, stimulus: 'Once more' };
      await write(client, {
        questions: ['same-1', 'same-2'].map((reference) => ({ reference, type: 'mcq', data })),
        items: [itemOf('same', 'same-1', 'same-2'), itemOf('same-too', 'same-1')],
      });
      const template = await newTemplate({ items: ['same', 'same-too'] });
      const ids = template.questions.map((question: any) => question.id);
      expect(new Set(ids).size).toBe(3);
      const sent = entry(
        ids.map((id: string, index: number) => ({ question_id: id, type: 'array', value: ['abc'[index]] })),
      );
      await accepted(await send(template, [sent]));
      const { responses } = await stored(sent.session_id);
      expect(responses.map(({ response, score }) => [response!.value, score])).toEqual([
        [['a'], 1],
        [['b'], 0],
        [['c'], 0],
      ]);
    });

    it('end a session later when it is sent again with another answer', async () => {
      const template = await newTemplate({ items: ['two'] });
      const answered = (value: string) => [{ question_id: template.questions[0].id, type: 'array', value: [value] }];
      const first = entry(answered('b'));
      await accepted(await send(template, [first]));
      const startedAt = service.clock.now();
      service.clock.advance(60_000);
      await accepted(await send(template, [{ ...first, responses: answered('a') }]));
      expect(await stored(first.session_id)).toMatchObject({
        startedAt,
        completedAt: startedAt + 60_000,
        totals: { score: 1 },
      });
    });

    it('keep the time and flags of the player, and add no time', async () => {
      const template = await newTemplate({ items: ['two'] });
      const session_id = randomUUID();
      const items = [{ reference: 'two', organisation: 1, time: 41.5, flagged: true }];
      await submit(service, [submission(session_id, { items })]);
      const responses = [{ question_id: template.questions[0].id, type: 'array', value: ['a'] }];
      expect(await accepted(await send(template, [entry(responses, { session_id })]))).toMatchObject({ saved: 1 });
      expect(await stored(session_id)).toMatchObject({ items: [{ time: 41.5, flagged: true }], totals: { score: 1 } });
    });

    it('add the items of another template to an existing session', async () => {
      const first = entry([]);
      await accepted(await send(await newTemplate({ items: ['two'] }), [first]));
      const more = await newTemplate({ items: ['menu-item', 'two', 'all'] });
      await write(client, {
        questions: [choice('q-2', ['c'], 7), { ...choice('menu', ['a'], 7), type: 'clozedropdown' }],
      });
      expect(await accepted(await send(more, [{ ...first, responses: [] }]))).toMatchObject({ saved: 1, refused: 0 });
      const { items } = await stored(first.session_id);
      expect(items.map(({ reference, scoring }) => [reference, scoring.maxScore]).slice(0, 2)).toEqual([
        ['two', 2],
        ['menu-item', 1],
      ]);
      expect(items.map(({ reference }) => reference)).toEqual(['two', 'menu-item', 'all']);
      await write(client, { questions: [choice('q-2', ['b']), { ...choice('menu', ['a']), type: 'clozedropdown' }] });
    });

    it('record who sent them', async () => {
      const template = await newTemplate({ items: ['two'] });
      const user = { id: 'grace', firstname: 'Grace' };
      await accepted(await send(template, [entry([])], { meta: { user } }));
      const rows = await service.database.rows('SELECT firstname FROM author WHERE organisation_id = 1 AND id = ?', [
        'grace',
      ]);
      expect(rows).toEqual([{ firstname: 'Grace' }]);
    });

    it('may contain up to fifty sessions', async () => {
      const template = await newTemplate({ items: ['two'] });
      expect(
        await accepted(
          await send(
            template,
            Array.from({ length: 50 }, () => entry([])),
          ),
        ),
      ).toMatchObject({ saved: 50 });
      expect(await accepted(await send(template, []))).toMatchObject({ saved: 0 });
    });

    it('are rejected with ambiguous and unknown members', async () => {
      const template = await newTemplate({ items: ['two', 'menu-item'] });
      const [first, , menu] = template.questions;
      const response = { question_id: first.id, type: 'array', value: ['a'] };
      const same = entry([]);
      await expectRejection(
        () => send(template, [same, entry([]), { ...same, user_id: 'x' }]),
        400,
        30000,
        'as is data[0]',
        '/data/2/session_id',
      );
      await expectRejection(
        () => send(template, [entry([response, response])]),
        ...([400, 30000, 'data[0].responses[1].question_id is that of data[0].responses[0].question_id too'] as const),
        '/data/0/responses/1/question_id',
      );
      await expectRejection(
        () => send(template, [entry([{ ...response, question_id: 'x' }])]),
        400,
        30001,
        'is the id of no question of the template',
      );
      await expectRejection(
        () => send(template, [entry([{ ...response, question_id: menu.id }])]),
        ...([400, 20004, 'names a question of the type clozedropdown, to which a template takes no answers'] as const),
      );
      for (const session_id of ['x', '', `${randomUUID()}0`, randomUUID().replaceAll('-', ''), ` ${randomUUID()}`])
        await expectRejection(
          () => send(template, [entry([], { session_id })]),
          400,
          20004,
          'must be a UUID such as',
          '/data/0/session_id',
        );
      await expectRejection(
        () =>
          send(
            template,
            Array.from({ length: 51 }, () => entry([])),
          ),
        400,
        20002,
        'at most 50 entries',
        '/data',
      );
      await expectRejection(
        () => send(template, [entry([{ ...response, wordCount: -1 }])]),
        400,
        20004,
        'wordCount must be',
      );
      await expectRejection(() => send(template, ['text']), 400, 20003, 'data[0] must be an object');
    });

    it('have the format that data_format names', async () => {
      const template = await newTemplate({ items: ['two'] });
      const request = { template, data: [entry([])] };
      await expectRejection(
        () => client.set(PATH, request),
        400,
        20003,
        'data[0] must be text, the base64 of a session document; entries for a template need data_format "from_template"',
        '/data/0',
      );
      await expectRejection(
        () => client.set(PATH, { ...request, data_format: 'failed_submission' }),
        400,
        20003,
        'data[0] must be text',
      );
      await expectRejection(
        () => client.set(PATH, { ...request, data_format: 'From_template' }),
        ...([
          400,
          20004,
          'data_format must be one of failed_submission, from_template; it is "From_template"',
        ] as const),
      );
      await expectRejection(
        () => client.set(PATH, { data_format: 'from_template', data: [] }),
        400,
        20000,
        'template is required',
      );
    });

    describe('templates that the service did not create', () => {
      let template: any;
      beforeAll(async () => {
        template = await newTemplate({ activity_template_id: 'a-1', items: ['two', 'all'] });
      });
      const changed = (change: (copy: any) => void) => {
        const copy = structuredClone(template);
        change(copy);
        return copy;
      };

      it.each<[string, (copy: any) => void, number, string]>([
        [
          'another right answer',
          (t) => (t.questions[0].validation.valid_response.value = ['c']),
          20004,
          '/template/questions/0/validation/valid_response/value/0',
        ],
        [
          'a higher score',
          (t) => (t.questions[0].validation.valid_response.score = 100),
          20004,
          '/template/questions/0/validation/valid_response/score',
        ],
        [
          'an alternate answer',
          (t) => (t.questions[0].validation.alt_responses = [{ score: 1, value: ['c'] }]),
          20004,
          '/template/questions/0/validation/alt_responses',
        ],
        ['no validation', (t) => delete t.questions[0].validation, 20004, '/template/questions/0/validation'],
        ['another type', (t) => (t.questions[0].type = 'shorttext'), 20004, '/template/questions/0/type'],
        [
          'a further option',
          (t) => t.questions[0].options.push({ label: 'D', value: 'd' }),
          20004,
          '/template/questions/0/options/3',
        ],
        [
          'another response count',
          (t) => (t.questions[0].metadata.valid_response_count = 9),
          20004,
          '/template/questions/0/metadata/valid_response_count',
        ],
        [
          'another question reference',
          (t) => (t.questions[0].metadata.widget_reference = 'q-2'),
          20004,
          '/template/questions/0/metadata/widget_reference',
        ],
        [
          'an unknown hash',
          (t) => (t.questions[0].metadata.source.hash = '0'.repeat(64)),
          20004,
          '/template/items/0/question_ids/0',
        ],
        [
          'the hash of another question',
          (t) => (t.questions[0].metadata.source.hash = t.questions[1].metadata.source.hash),
          20004,
          '/template/items/0/question_ids/0',
        ],
        ['another id', (t) => (t.questions[0].id = 'f'.repeat(32)), 20004, '/template/items/0/question_ids/0'],
        [
          'another id in both places',
          (t) => (t.questions[0].id = t.items[0].question_ids[0] = 'f'.repeat(32)),
          20004,
          '/template/items/0/question_ids/0',
        ],
        ['an id twice', (t) => (t.questions[1].id = t.questions[0].id), 30000, '/template/questions/1/id'],
        [
          'questions in another order',
          (t) => t.items[0].question_ids.reverse(),
          20004,
          '/template/items/0/question_ids/0',
        ],
        ['a question less', (t) => t.items[0].question_ids.pop(), 20004, '/template/items/0/question_ids'],
        [
          'a question that no item has',
          (t) => t.questions.push({ ...t.questions[0], id: 'x' }),
          20004,
          `/template/questions/${2 + ANSWERABLE.length}/id`,
        ],
        [
          'an item of another content',
          (t) => (t.items[0].source.hash = t.items[1].source.hash),
          20004,
          '/template/items/0/source/hash',
        ],
        ['an unknown item', (t) => (t.items[0].reference = 'nowhere'), 20004, '/template/items/0/source/hash'],
        ['an item twice', (t) => t.items.push(t.items[0]), 30003, '/template/items/2/reference'],
        ['another layout', (t) => (t.items[0].content = '<script>'), 20004, '/template/items/0/content'],
        [
          'another scoring type of one item',
          (t) => (t.items[0].metadata.scoring_type = 'dichotomous'),
          20004,
          '/template/items/0/metadata/scoring_type',
        ],
        [
          'an unknown scoring type',
          (t) => t.items.forEach((each: any) => (each.metadata.scoring_type = 'best')),
          20004,
          '/template/items/0/metadata/scoring_type',
        ],
        [
          'an item of another organisation',
          (t) => (t.items[0].source.organisation_id = 2),
          40003,
          '/template/items/0/reference',
        ],
        [
          'an activity of another organisation',
          (t) => (t.metadata.source.organisation_id = 2),
          40003,
          '/template/metadata/activity_template_id',
        ],
        [
          'another activity',
          (t) => (t.metadata.activity_template_id = 'nowhere'),
          20004,
          '/template/metadata/source/hash',
        ],
        [
          'another version',
          (t) => (t.metadata.items_api_version = 'v9'),
          20004,
          '/template/metadata/items_api_version',
        ],
        [
          'subscores of other items',
          (t) => t.subscores.push({ id: 'x', title: 'X', items: ['nowhere'] }),
          20013,
          '/template/subscores/0/items/0',
        ],
        ['no items', (t) => delete t.items, 20000, '/template/items'],
        ['items that are not a list', (t) => (t.items = {}), 20003, '/template/items'],
        ['an item that is not an object', (t) => (t.items[0] = 'two'), 20003, '/template/items/0'],
        ['an item without source', (t) => (t.items[0].source = null), 20000, '/template/items/0/source'],
        ['a hash that is not a text', (t) => (t.items[0].source.hash = 7), 20003, '/template/items/0/source/hash'],
        ['a question that is not an object', (t) => (t.questions[0] = [1]), 20003, '/template/questions/0'],
        ['no metadata', (t) => delete t.metadata, 20000, '/template/metadata'],
        ['1,001 items', (t) => (t.items = new Array(1001).fill(t.items[0])), 20002, '/template/items'],
      ])('are rejected with %s', async (_, change, code, pointer) => {
        const status = code === 40003 ? 403 : 400;
        await expectRejection(() => send(changed(change), [entry([])]), status, code, '', pointer);
      });

      // This check uses no database, so it runs on one.
      if (engine === anEngine(__filename)[0])
        it('are rejected with any changed value, and with any removed or added member', async () => {
          const small = await newTemplate({ activity_template_id: 'a-1', items: ['two', 'menu-item'], subscores: [] });
          const places: (string | number)[][] = [];
          const visit = (value: any, path: (string | number)[]) => {
            if (path.length > 0) places.push(path);
            if (typeof value === 'object' && value !== null)
              for (const key of Array.isArray(value) ? value.keys() : Object.keys(value))
                visit(value[key], [...path, key]);
          };
          visit({ items: small.items, questions: small.questions, metadata: small.metadata }, []);
          const tampered = places.flatMap((path) => {
            const key = path.at(-1)!;
            const at = (copy: any) => path.slice(0, -1).reduce((value, each) => value[each], copy);
            const copies = [1, 2, 3].map(() => structuredClone(small));
            const value = at(small)[key];
            at(copies[0])[key] = typeof value === 'number' ? value + 1 : 'x';
            delete at(copies[1])[key];
            if (typeof key === 'string' && path.length > 1) at(copies[2])[`more_${key}`] = 1;
            // Null members may be absent.
            return copies.filter(
              (copy, which) => !(which === 1 && value === null) && JSON.stringify(copy) !== JSON.stringify(small),
            );
          });
          expect(tampered.length).toBeGreaterThan(150);
          for (const each of tampered) {
            const answer = await send(each, []);
            expect([JSON.stringify(each), answer.meta.code]).toEqual([expect.any(String), expect.any(Number)]);
            expect([400, 403]).toContain(answer.status);
          }
          expectSuccess(await send(small, []));
        });

      it('are rejected with items that the caller may no longer read', async () => {
        const both = {
          grants: [
            { organisation: 1, access: 'write', primary: true },
            { organisation: 2, access: 'read', primary: false },
          ],
        };
        const owner = await service.consumerOf([2, 'write']);
        await write(owner, { questions: [choice('q-1', ['c'])], items: [itemOf('theirs', 'q-1')] });
        const reader = await service.consumer(both as never);
        const theirs = await newTemplate({ items: [{ reference: 'theirs', organisation_id: 2 }] }, reader);
        const sent = entry([{ question_id: theirs.questions[0].id, type: 'array', value: ['c'] }]);
        expect(await accepted(await send(theirs, [sent], {}, reader))).toMatchObject({ saved: 1 });
        expect(await stored(sent.session_id)).toMatchObject({ totals: { score: 1 }, items: [{ organisation: 2 }] });
        await expectRejection(
          () => send(theirs, [entry([])]),
          403,
          40003,
          'is of organisation 2, which you may not read',
          '/template/items/0/reference',
        );
        const mine = structuredClone(theirs);
        mine.items[0].source.organisation_id = 1;
        await expectRejection(
          () => send(mine, [entry([])]),
          400,
          20004,
          'names no content that the item "theirs" of organisation 1 has or had',
        );
      });
    });
  });

  describe('submissions that failed before', () => {
    const document = (more: object = {}) => ({
      session_id: randomUUID(),
      user_id: 'learner',
      activity_id: 'activity',
      dt_started: '2026-01-01T10:00:00Z',
      dt_completed: '2026-01-01T10:08:20Z',
      responses: [
        {
          response_id: 'r-1',
          item_reference: 'two',
          question_reference: 'q-1',
          type: 'array',
          value: ['a'],
          revision: 3,
        },
      ],
      ...more,
    });
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
    const submitEncoded = (data: string[], more: object = {}, as = client) => as.set(PATH, { data, ...more });

    it('are saved with everything that the player knew', async () => {
      const whole = document({
        activity_template_id: 'a-1',
        status: 'Incomplete',
        dt_completed: null,
        items: [
          { reference: 'two', time: 12.5, user_flagged: true },
          { reference: 'menu-item', organisation_id: 1 },
        ],
        subscores: [{ id: 's', title: 'S', items: ['two'] }],
        metadata: { user_agent: 'Grüße', max_time: 60, session_tags: [{ type: 'School', name: 'North' }] },
        adaptive: { ability_estimate: { ability_estimate: 1.5, standard_error: 0.3 } },
        custom_state: { step: [1, null] },
        unknown: 'member',
      });
      const data = [encoded(whole)];
      expect(await accepted(await submitEncoded(data))).toMatchObject({ saved: 1 });
      expect(await stored(whole.session_id)).toMatchObject({
        userId: 'learner',
        activityId: 'activity',
        activityTemplateId: 'a-1',
        status: 'Incomplete',
        startedAt: Date.UTC(2026, 0, 1, 10),
        completedAt: null,
        items: [
          { reference: 'two', time: 12.5, flagged: true, scoring: { score: 1, maxScore: 2 } },
          { reference: 'menu-item', organisation: 1, time: 0, flagged: false },
        ],
        responses: [
          { responseId: 'r-1', revision: 3, response: { type: 'array', value: ['a'] }, score: 1 },
          { response: null, score: null },
          { response: null },
        ],
        subscores: [{ id: 's', score: 1, maxScore: 2 }],
        metadata: { user_agent: 'Grüße', max_time: 60 },
        tags: [{ type: 'School', name: 'North' }],
        adaptive: { ability_estimate: { ability_estimate: 1.5, standard_error: 0.3 } },
        customState: { step: [1, null] },
      });
    });

    it('are described by the schema in docs/', async () => {
      const schema = JSON.parse(
        readFileSync(join(__dirname, '../../docs/session-document.schema.json'), 'utf8'),
      ) as object;
      const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
      ajv.addFormat('date-time', true);
      const fits = ajv.compile(schema);
      expect([fits(document()), fits.errors]).toEqual([true, null]);
      for (const wrong of [
        { user_id: undefined },
        { responses: [{}] },
        { status: 'Done' },
        { session_id: 'x'.repeat(65) },
      ]) {
        expect([wrong, fits(document(wrong))]).toEqual([wrong, false]);
        expect((await submitEncoded([encoded(document(wrong))])).status).toBe(400);
      }
    });

    it.each<[string, (text: string) => string]>([
      ['base64', (text) => Buffer.from(text).toString('base64')],
      ['base64 without padding', (text) => Buffer.from(text).toString('base64').replace(/=+$/, '')],
      ['base64 for addresses', (text) => Buffer.from(text).toString('base64url')],
      ['base64 in lines', (text) => Buffer.from(text).toString('base64').replace(/.{60}/g, '$&\r\n')],
      ['gzip', (text) => gzipSync(text).toString('base64')],
      ['a byte order mark', (text) => Buffer.from(`\ufeff${text}`).toString('base64')],
    ])('are read from %s', async (_, encode) => {
      const sent = document({ metadata: { note: 'Ωß>>>???' } });
      expect(
        await accepted(await submitEncoded([encode(JSON.stringify(sent))], { data_format: 'failed_submission' })),
      ).toMatchObject({ saved: 1 });
      expect(await stored(sent.session_id)).toMatchObject({ status: 'Completed', metadata: { note: 'Ωß>>>???' } });
    });

    it('change nothing when sent again, whatever operators did since', async () => {
      const sent = document({ metadata: { session_tags: [{ type: 'Class', name: 'A' }], room: 1 } });
      const { session_id, user_id } = sent;
      await accepted(await submitEncoded([encoded(sent)]));
      service.clock.advance(10_000);
      const scope = service.scope();
      const tags = [{ sessionId: session_id, userId: user_id, tags: [{ type: 'Class', name: 'B' }] }];
      await resultsOf(service, await service.get(SessionTags).start(tags, scope));
      const discarded = [{ sessionId: session_id, userId: user_id, status: 'Discarded' as const }];
      await resultsOf(service, await service.get(SessionStatuses).start(discarded, scope));
      const before = await stored(session_id);
      expect(before).toMatchObject({ status: 'Discarded', tags: [{ type: 'Class', name: 'B' }] });
      const again = { ...sent, activity_id: 'another' };
      expect(await accepted(await submitEncoded([encoded(sent)]))).toMatchObject({ saved: 0, unchanged: 1 });
      expect(await accepted(await submitEncoded([encoded(again)]))).toMatchObject({ saved: 0, unchanged: 1 });
      expect(await stored(session_id)).toEqual(before);
    });

    it('keep each tag once, ignoring case, with its type and name alone', async () => {
      const session_tags = [
        { type: 'Class', name: 'A', room: 1 },
        { type: 'Class', name: 'A' },
        { type: 'CLASS', name: 'a' },
        { type: 'Class', name: 'B' },
      ];
      const sent = document({ metadata: { session_tags } });
      await accepted(await submitEncoded([encoded(sent)]));
      const read = await client.get('sessions/metadata', { session_id: [sent.session_id] });
      expect(read.data[0].metadata.session_tags).toEqual([
        { type: 'Class', name: 'A' },
        { type: 'Class', name: 'B' },
      ]);
    });

    it('complete a session that was saved before with the same answers', async () => {
      const open = document({ status: 'Incomplete', dt_completed: null });
      await accepted(await submitEncoded([encoded(open)]));
      const tagged = { ...open, status: 'Completed', metadata: { session_tags: [{ type: 'Class', name: 'A' }] } };
      expect(await accepted(await submitEncoded([encoded(tagged)]))).toMatchObject({ saved: 1 });
      expect(await stored(open.session_id)).toMatchObject({ status: 'Completed', tags: [{ name: 'A' }] });
    });

    it("never end before they began, whatever a device's clock said", async () => {
      const ahead = { dt_started: service.clock.now() / 1000 + 86_400, dt_completed: null };
      const sent = document(ahead);
      await accepted(await submitEncoded([encoded(sent)]));
      const { startedAt, completedAt } = await stored(sent.session_id);
      expect(completedAt).toBe(startedAt);
      const open = document({ ...ahead, status: 'Incomplete' });
      await accepted(await submitEncoded([encoded(open)]));
      const scope = service.scope();
      const wanted = [{ sessionId: open.session_id, userId: open.user_id, status: 'Completed' as const }];
      await resultsOf(service, await service.get(SessionStatuses).start(wanted, scope));
      const completed = await stored(open.session_id);
      expect(completed.completedAt).toBe(completed.startedAt);
    });

    it('fail individually for an unknown item or question, or a lower revision', async () => {
      const known = document();
      await accepted(await submitEncoded([encoded(known)]));
      const response = known.responses[0]!;
      const lower = { ...known, responses: [{ ...response, revision: 2, value: ['c'] }] };
      const nowhere = document({ responses: [{ ...response, item_reference: 'nowhere' }] });
      const foreign = document({ responses: [{ ...response, question_reference: 'q-9' }] });
      const results = await accepted(await submitEncoded([lower, nowhere, foreign, document()].map(encoded)));
      expect(results).toMatchObject({ saved: 1, refused: 3 });
      expect(results.sessions.map(({ status }: any) => status)).toEqual(['refused', 'refused', 'refused', 'saved']);
      expect(results.sessions.map(({ message = '' }: any) => message)).toEqual([
        expect.stringMatching(/has revision 2, and revision 3 is stored/),
        expect.stringMatching(/there is no item "nowhere"/),
        expect.stringMatching(/a question "q-9" that the item "two" does not have/),
        '',
      ]);
      expect((await stored(known.session_id)).responses[0]).toMatchObject({ revision: 3, response: { value: ['a'] } });
      await accepted(await submitEncoded([encoded(lower)], { ignore_response_revisions: true }));
      expect((await stored(known.session_id)).responses[0]).toMatchObject({ revision: 2, response: { value: ['c'] } });
    });

    it('keep members of a stored session that they do not contain', async () => {
      const known = document();
      const items = [{ reference: 'two', time: 12.5, user_flagged: true }];
      await accepted(await submitEncoded([encoded({ ...known, items })]));
      const { dt_completed: _completed, ...later } = known;
      const { response_id: _id, ...response } = known.responses[0]!;
      await accepted(
        await submitEncoded([encoded({ ...later, responses: [{ ...response, value: ['b'], revision: 4 }] })]),
      );
      expect(await stored(known.session_id)).toMatchObject({
        completedAt: Date.UTC(2026, 0, 1, 10, 8, 20),
        items: [{ time: 12.5, flagged: true }],
        responses: [{ responseId: 'r-1', revision: 4, response: { value: ['b'] } }, {}],
      });
    });

    it('give different ids to responses without ids, whatever their items and questions are called', async () => {
      await write(client, {
        questions: [choice('b_c', ['a']), choice('c', ['a'])],
        items: [itemOf('a', 'b_c'), itemOf('a_b', 'c')],
      });
      const responses = [
        { item_reference: 'a', question_reference: 'b_c', type: 'array', value: ['a'], revision: 1 },
        { item_reference: 'a_b', question_reference: 'c', type: 'array', value: ['a'], revision: 1 },
      ];
      const sent = document({ responses });
      expect(await accepted(await submitEncoded([encoded(sent)]))).toMatchObject({ saved: 1, refused: 0 });
      const { responses: kept, totals } = await stored(sent.session_id);
      expect([new Set(kept.map(({ responseId }) => responseId)).size, totals.score]).toEqual([2, 2]);
      expect(await accepted(await submitEncoded([encoded(sent)]))).toMatchObject({ unchanged: 1 });
    });

    it.each([
      ['completed', 'per-dichotomous', 'Completed', 'dichotomous'],
      ['INCOMPLETE', 'dependent', 'Incomplete', 'dependent'],
    ])('may have the status %s and the scoring type %s', async (status, scoring_type, storedStatus, type) => {
      const sent = document({ status, scoring_type });
      expect(await accepted(await submitEncoded([encoded(sent)]))).toMatchObject({ saved: 1 });
      expect(await stored(sent.session_id)).toMatchObject({ status: storedStatus, items: [{ scoring: { type } }] });
    });

    it('treat an empty answer as not attempted', async () => {
      const sent = document();
      Object.assign(sent.responses[0]!, { attempted: false });
      await accepted(await submitEncoded([encoded(sent)]));
      expect((await stored(sent.session_id)).responses[0]).toMatchObject({
        response: null,
        score: null,
        attempted: false,
      });
    });

    const bomb = () => gzipSync(Buffer.alloc(20 * 1024 * 1024)).toString('base64');
    const good = () => encoded(document());
    it.each<[string, () => string, number, string]>([
      [
        'base64 that was cut off',
        () => `${good().replace(/=+$/, '').slice(0, 40)}A`,
        20009,
        'data[1] is not base64: a part of it is missing',
      ],
      [
        'a document that was cut off',
        () => good().slice(0, 100),
        20009,
        'data[1], decoded: the text is not valid JSON',
      ],
      [
        'gzip that was cut off',
        () => gzipSync('x'.repeat(5000)).subarray(0, 20).toString('base64'),
        20009,
        'data[1] holds gzip that cannot be unpacked',
      ],
      [
        'gzip that was damaged',
        () => {
          const bytes = gzipSync(JSON.stringify(document()));
          bytes[20]! ^= 0xff;
          return bytes.toString('base64');
        },
        20009,
        'data[1]',
      ],
      ['a gzip bomb', bomb, 20001, 'data[1] is too large: decoded, a session may have 5 MB'],
      [
        'a large document',
        () => Buffer.alloc(5 * 1024 * 1024 + 1, ' ').toString('base64'),
        20001,
        'data[1] is too large',
      ],
      [
        'other bytes than UTF-8',
        () => Buffer.from([0x7b, 0xff, 0x7d]).toString('base64'),
        20009,
        'data[1] holds bytes that are not UTF-8',
      ],
      [
        'a stray character',
        () => `${good().slice(0, 8)}?${good().slice(8)}`,
        20009,
        'data[1] is not base64: it holds "?"',
      ],
      ['a text that was cut', () => good().slice(0, 9), 20009, 'data[1] is not base64: a part of it is missing'],
      ['plain JSON', () => JSON.stringify(document()), 20009, 'data[1] is not base64: it is the JSON document itself'],
      ['a data URI', () => `data:application/json;base64,${good()}`, 20009, 'data[1] is not base64: it is a data URI'],
      [
        'a type of response that does not exist',
        () => encoded(document({ responses: [{ ...document().responses[0], type: 'mcq' }] })),
        20004,
        'responses[0].type must be one of array, string, number, object, boolean; it is "mcq"',
      ],
      ['nothing', () => '', 20009, 'data[1], decoded: the text is not valid JSON'],
      ['a list', () => encoded([1]), 20009, 'data[1], decoded: the text must be a JSON object'],
      ['an empty object', () => encoded({}), 20000, 'data[1], decoded: activity_id is required'],
      [
        'deep nesting',
        () => Buffer.from(`{"custom_state":${'['.repeat(5000)}${']'.repeat(5000)}}`).toString('base64'),
        20009,
        'nested deeper than 100',
      ],
      [
        'half a surrogate pair',
        () => Buffer.from('{"user_id":"\\ud800"}').toString('base64'),
        20004,
        'half of a surrogate pair',
      ],
      ['a member __proto__', () => Buffer.from('{"__proto__":{"x":1}}').toString('base64'), 20004, '__proto__'],
      [
        'a session id that is too long',
        () => encoded(document({ session_id: 'x'.repeat(65) })),
        20001,
        'session_id must have 1 to 64 characters',
      ],
      ['a session id with a line feed', () => encoded(document({ session_id: 'x\ny' })), 20004, '(character 2)'],
      [
        'another status',
        () => encoded(document({ status: 'Pending Scoring' })),
        20004,
        'status must be one of Completed',
      ],
      [
        'a tag that is too long once its case is folded',
        () => encoded(document({ metadata: { session_tags: [{ type: 'Class', name: 'ß'.repeat(200) }] } })),
        20001,
        'metadata.session_tags[0].name has more than 255 characters once its case is folded',
      ],
      [
        'no time',
        () => encoded(document({ dt_started: 'yesterday' })),
        20004,
        'dt_started must be Unix seconds or an ISO 8601 time',
      ],
      [
        'a time that no read can show',
        () => encoded(document({ dt_started: 1e12, dt_completed: null })),
        20004,
        'between the years 1970 and 9999',
      ],
      [
        'an estimate of ability as text',
        () => encoded(document({ adaptive: { ability_estimate: { ability_estimate: '1.5' } } })),
        20003,
        'adaptive.ability_estimate.ability_estimate must be a number',
      ],
      [
        'a text for the exposed items',
        () => encoded(document({ adaptive: { exposed_items: { operational: 'two' } } })),
        20003,
        'adaptive.exposed_items.operational must be a list',
      ],
      [
        'a text for the items of an adaptive report',
        () => encoded(document({ adaptive: { items: 'two' } })),
        20003,
        'adaptive.items must be a list',
      ],
      [
        'an end before the start',
        () => encoded(document({ dt_completed: '2025-01-01' })),
        20004,
        'dt_completed lies before dt_started',
      ],
      [
        'a response without revision',
        () => encoded(document({ responses: [{ item_reference: 'two', question_reference: 'q-1' }] })),
        20000,
        'responses[0].revision is required',
      ],
      [
        'two responses to a question',
        () => {
          const made = document();
          return encoded({ ...made, responses: [made.responses[0], made.responses[0]] });
        },
        30000,
        'responses[1] is to the question "q-1" of the item "two"',
      ],
      [
        'an item twice',
        () => encoded(document({ items: [{ reference: 'two' }, { reference: 'two' }] })),
        30003,
        'items[1] names the item "two" again',
      ],
      [
        'subscores of one id',
        () => encoded(document({ subscores: ['A', 'B'].map((title) => ({ id: 's', title, items: [] })) })),
        30000,
        'subscores[1].id is "s"',
      ],
      [
        'items of another organisation',
        () => encoded(document({ items: [{ reference: 'two', organisation_id: 2 }] })),
        40003,
        'items[0] is of organisation 2, which you may not read',
      ],
    ])('are rejected with %s, naming the entry', async (_, entryOf, code, says) => {
      const data = [good(), entryOf()];
      await expectRejection(() => submitEncoded(data), code === 40003 ? 403 : 400, code, says, '/data/1');
    });

    it('are unpacked only up to the limit', async () => {
      const member = gzipSync(Buffer.alloc(20 * 1024 * 1024));
      const bomb = Buffer.concat(Array.from({ length: 75 }, () => member)).toString('base64');
      const peak = () => process.resourceUsage().maxRSS / 1024;
      const before = peak();
      await expectRejection(() => submitEncoded([bomb]), 400, 20001, 'data[0] is too large', '/data/0');
      // It would be 1.5 GB if it were unpacked.
      expect(peak() - before).toBeLessThan(500);
    });

    it('name every entry that cannot be read', async () => {
      const answer = await expectRejection(
        () => submitEncoded(['?', good(), encoded({})]),
        400,
        20009,
        'data[0] is not base64',
      );
      expect(faultsOf(answer)).toEqual([[20009, '/data/0']]);
      const documents = await expectRejection(
        () => submitEncoded([encoded([1]), good(), encoded({})]),
        400,
        20009,
        'data[0], decoded',
      );
      expect(new Set(documents.meta.errors?.map(({ pointer }) => pointer))).toEqual(new Set(['/data/0', '/data/2']));
      const inOrder = await expectRejection(
        () => submitEncoded([encoded({}), good(), encoded([1])]),
        400,
        20000,
        'data[0], decoded',
      );
      expect([...new Set(inOrder.meta.errors?.map(({ pointer }) => pointer))]).toEqual(['/data/0', '/data/2']);
    });

    it('are rejected when they are too large together', async () => {
      const padded = Array.from({ length: 5 }, () =>
        gzipSync(JSON.stringify(document({ metadata: { pad: 'x'.repeat(4.5 * 1024 * 1024) } }))).toString('base64'),
      );
      const tooMany = await submitEncoded(padded);
      expectFailure(tooMany, 400, 20001, literally('those of one request 20 MB'));
      expect(tooMany.meta.errors?.[0]?.pointer).toBe('/data/4');
      expectFailure(await submitEncoded(padded.slice(0, 3)), 413, 20001, literally('Send fewer at a time'));
    });

    it('are rejected when one session is sent twice', async () => {
      const same = document();
      await expectRejection(
        () => submitEncoded([encoded(same), encoded(same)]),
        400,
        30000,
        'data[1] is of the session',
        '/data/1',
      );
    });

    it('stay in the organisation that they are sent to', async () => {
      const sent = document();
      await accepted(await submitEncoded([encoded(sent)]));
      const other = await service.consumerOf([2, 'write']);
      await write(other, { questions: [choice('q-1', ['a'])], items: [itemOf('two', 'q-1')] });
      const answer = await submitEncoded([encoded({ ...sent, user_id: 'another' })], {}, other);
      expectSuccess(answer);
      expect(await resultsOf(service, answer.data.job_reference, 2)).toMatchObject({ saved: 1 });
      expect(await stored(sent.session_id)).toMatchObject({ userId: 'learner' });
      const reader = await service.consumerOf([1, 'read']);
      await expectRejection(() => submitEncoded([encoded(document())], {}, reader), 403, 40003, '');
    });
  });
});
