import { randomUUID } from 'node:crypto';
import { fillPool, write } from '../support/bank';
import { activity, feature, item, question } from '../support/builders';
import { anEngine } from '../support/engines';
import { callPage, errorOf, ORIGIN, type PageAnswer, signedStart, TestPage } from '../support/page';
import { serviceOfSuite, startServiceLater, type TestService } from '../support/service';
import { statementsDuring } from '../support/statements';
import { submission, submit } from '../support/submissions';
import { HOUR } from '../support/time';

describe.each(anEngine(__filename))('starting a test in a page on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  beforeAll(async () => {
    await write(service.client, {
      questions: ['q-1', 'q-2', 'q-3', 'q-4'].map((reference) => question({ reference })),
      features: [
        feature({ reference: 'f-1' }),
        feature({ reference: 'f-2', type: 'calculator', data: { mode: 'basic' } }),
      ],
      items: [
        item(['f-1', 'q-1'], { reference: 'it-1' }),
        item(['q-2'], { reference: 'it-2' }),
        item(['q-3'], { reference: 'it-draft', status: 'unpublished' }),
        {
          reference: 'it-columns',
          status: 'published',
          definition: {
            template: 'dynamic',
            regions: [
              { type: 'column', width: 40, widgets: [{ reference: 'f-2' }] },
              { type: 'column', width: '60', widgets: [{ reference: 'q-4' }] },
            ],
            widgets: [],
          },
        },
      ],
      activities: [
        activity(['it-1', 'it-2'], {
          reference: 'a-1',
          data: {
            items: ['it-1', { reference: 'it-2' }],
            rendering_type: 'assess',
            config: {
              title: 'Of the activity',
              navigation: { show_intro: true, auto_save: true },
              time: { max_time: 60 },
            },
          },
        }),
        {
          reference: 'a-sections',
          data: {
            sections: [
              { items: ['it-2'], config: { title: 'One', time: { max_time: 30, limit_type: 'hard' } } },
              { items: ['it-1'], config: { time: { max_time: 40, limit_type: 'hard' } } },
            ],
          },
        },
        activity(['it-1'], { reference: 'a-adaptive', data: { items: ['it-1'], adaptive: { steps: [] } } }),
      ],
    });
  });
  beforeEach(() => service.clock.advance(10_000));

  const start = (more: object = {}) => TestPage.start(service, { items: ['it-1'], ...more });
  const ask = async (
    request: object | string,
    more: Parameters<typeof signedStart>[3] = {},
    page: Parameters<typeof callPage>[3] = {},
    client = service.client,
  ): Promise<PageAnswer> =>
    callPage(service.url, 'sessions', signedStart(client, service.clock.now(), request, more), page);
  const request = (more: object = {}) => TestPage.request({ items: ['it-1'], ...more });

  it('accepts what every SDK signs: texts and objects as items, with and without expires, action and the old signature', async () => {
    const old = await service.consumer({ legacySignatures: true });
    const answers = [
      await ask(request()),
      await ask(
        request({
          items: [
            { id: 'mine', reference: 'it-1' },
            { reference: 'it-2', organisation_id: 1 },
          ],
        }),
      ),
      await ask(request(), { expires: '20991231-0000' }),
      await ask(request(), { action: 'get' }),
      await ask(request(), { legacy: true }, {}, old),
      await ask(JSON.stringify(request({ name: 'тест ☃ </script> "x" 1500.0' }), null, 2)),
      await ask(request(), { domain: 'localhost:8080' }, { origin: 'https://localhost:4433' }),
    ];
    expect(answers.map(({ status, text }) => [status, status === 200 ? '' : text])).toEqual(
      answers.map(() => [200, '']),
    );
    expect(answers[1]!.body.items.map(({ id }: { id: string }) => id)).toEqual(['mine', 'it-2']);
    expect(answers[2]!.body.expires_at).toBe('2099-12-31T00:00:00.000Z');
    expect(answers[0]!.headers.get('cache-control')).toBe('no-store');
  });

  it('refuses a request that was changed after signing, comes from another domain, or is too old', async () => {
    const signed = signedStart(service.client, service.clock.now(), request());
    const send = (body: unknown, page: Parameters<typeof callPage>[3] = {}) =>
      callPage(service.url, 'sessions', body, page);
    const stranger = await service.consumer({ domains: ['example.org'] });
    const cases: [PageAnswer, number, number][] = [
      [await send({ ...signed, request: signed.request.replace('learner', 'another') }), 403, 41003],
      [await send({ ...signed, security: { ...signed.security, user_id: 'another' } }), 403, 41003],
      [await send({ ...signed, security: { ...signed.security, consumer_key: 'nobody' } }), 403, 41002],
      [await send({ ...signed, security: { ...signed.security, signature: '$02$short' } }), 403, 41001],
      [await send({ ...signed, security: {} }), 400, 41000],
      [await send(signed, { origin: null }), 403, 41005],
      [await send(signed, { origin: 'null' }), 403, 41005],
      [await send(signed, { origin: 'https://evil.example' }), 403, 41005],
      [await send(signed, { origin: 'https://localhost.evil.example' }), 403, 41005],
      [await ask(request(), { timestamp: stamp(service, -3 * HOUR - 120_000) }), 403, 41004],
      [await ask(request(), { timestamp: stamp(service, -4 * HOUR), expires: '20991231-0000' }), 403, 41004],
      [await ask(request(), { expires: stamp(service, -HOUR) }), 400, 41007],
      [await ask(request(), { domain: 'example.org' }, { origin: 'https://localhost' }, stranger), 403, 41005],
      [await ask(request(), {}, {}, stranger), 403, 41005],
    ];
    for (const [answer, status, code] of cases) {
      expect(errorOf(answer)).toMatchObject({ status, code });
      expect(answer.body.errors[0].message.length).toBeGreaterThan(10);
      expect(answer.body.errors[0].message).not.toContain('  ');
    }
    // Timestamps are accepted for three hours.
    expect((await ask(request(), { timestamp: stamp(service, -2 * HOUR) })).status).toBe(200);
  });

  it('names items in the error when they do not exist or are not published', async () => {
    const { status, body } = await ask(request({ items: ['it-1', 'it-draft', 'it-none'] }));
    expect({ status, codes: body.errors.map(({ code }: { code: number }) => code) }).toEqual({
      status: 400,
      codes: [20013, 20013],
    });
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/items/1', '/items/2']);
    expect(body.errors[0].message).toContain('"it-draft" of organisation 1 is not published');
    expect(body.errors[1].message).toContain('"it-none" of organisation 1 does not exist');
  });

  it('takes four statements for unchanged content, and shows changed content from the next start on', async () => {
    const references = Array.from({ length: 30 }, (_, index) => `n-${index}`);
    const changed = (stimulus: string, shown: string[], more: object = {}) =>
      write(service.client, {
        questions: references.map((reference) => question({ reference, data: { type: 'mcq', stimulus } })),
        items: references.map((reference) => item([reference], { reference })),
        activities: [activity(shown, { reference: 'a-changing', data: { items: shown, ...more } })],
      });
    const begin = async (wanted: object) => (await TestPage.start(service, { ...wanted })).started;
    const statements = async () => {
      const sent = await statementsDuring(service.database, () => begin({ items: references }));
      return sent.filter((sql) => !/\bconsumer\b/.test(sql)).length;
    };
    const stimuli = ({ items }: { items: { questions: { stimulus: string }[] }[] }) =>
      new Set(items.map(({ questions: [shown] }) => shown!.stimulus));
    await changed('Before?', ['n-1']);
    const first = await begin({ items: references });
    expect([stimuli(first), first.items.length]).toEqual([new Set(['Before?']), 30]);
    // The service may do regular work in one of these moments.
    expect(Math.min(await statements(), await statements(), await statements())).toBe(4);
    await changed('After?', ['n-2', 'n-1'], { config: { title: 'Changed' } });
    expect(stimuli(await begin({ items: references }))).toEqual(new Set(['After?']));
    const ofActivity = await begin({ items: undefined, activity_template_id: 'a-changing' });
    expect(ofActivity.items.map(({ reference }: { reference: string }) => reference)).toEqual(['n-2', 'n-1']);
    expect(ofActivity.activity.config.title).toBe('Changed');
    await write(service.client, { items: [item(['n-1'], { reference: 'n-1', status: 'unpublished' })] });
    expect(errorOf(await ask(request({ items: ['n-1'] })))).toMatchObject({ status: 400, code: 20013 });
  });

  it('combines the activity with the request, whose items come first', async () => {
    const page = await TestPage.start(service, {
      activity_template_id: 'a-1',
      config: { title: 'Of the request', navigation: { show_intro: false }, time: { limit_type: 'hard' } },
    });
    expect(page.started.items.map(({ reference }: { reference: string }) => reference)).toEqual(['it-1', 'it-2']);
    expect(page.started.activity).toMatchObject({
      rendering_type: 'assess',
      items: ['it-1', 'it-2'],
      config: {
        title: 'Of the request',
        navigation: { show_intro: false, auto_save: true },
        time: { max_time: 60, limit_type: 'hard' },
      },
    });
    expect(page.started.time).toMatchObject({ max_time: 60, limit_type: 'hard', remaining_seconds: 60 });
    const own = await TestPage.start(service, { activity_template_id: 'a-1', items: ['it-2'] });
    expect(own.started.items.map(({ reference }: { reference: string }) => reference)).toEqual(['it-2']);
  });

  it('shows sections in their order, and adds up their time limits', async () => {
    const { started } = await TestPage.start(service, { activity_template_id: 'a-sections' });
    expect(started.items.map(({ id }: { id: string }) => id)).toEqual(['it-2', 'it-1']);
    expect(started.activity.sections.map(({ items }: { items: string[] }) => items)).toEqual([['it-2'], ['it-1']]);
    expect(started.time).toMatchObject({ max_time: 70, limit_type: 'hard' });
  });

  it('lays out columns, questions and features like the item', async () => {
    const [{ content, questions, features }] = (await start({ items: ['it-columns'] })).started.items;
    const calculator = { type: 'calculator', mode: 'basic', feature_reference: 'f-2' };
    expect(features).toEqual([{ ...calculator, feature_id: expect.any(String) }]);
    expect(content).toBe(
      '<div class="itembank-columns">' +
        `<div class="itembank-column" data-width="40"><span class="learnosity-feature feature-${features[0].feature_id}"></span></div>` +
        `<div class="itembank-column" data-width="60"><span class="learnosity-response question-${questions[0].response_id}"></span></div>` +
        '</div>',
    );
  });

  it('refuses a session id with another user, and keeps the items and time of a stored session', async () => {
    const page = await start({ items: ['it-1', 'it-2'] });
    const [first] = page.questions;
    await page.save({ [first.response_id]: ['1'] }, { current_item: 'it-2', elapsed_seconds: 1 });
    const other = await ask(request({ session_id: page.sessionId, user_id: 'somebody-else' }));
    expect(errorOf(other)).toMatchObject({ status: 403, code: 40003, pointer: '/session_id' });
    // A restart with other items keeps the stored ones and records an event.
    const again = await start({ items: ['it-2'], session_id: page.sessionId });
    expect(again.questions.map(({ response_id }: { response_id: string }) => response_id)).toEqual(
      page.questions.map(({ response_id }: { response_id: string }) => response_id),
    );
    expect(again.started.session).toMatchObject({ existing: true, current_item: 'it-2', save_number: 1 });
    const rows = await service.database.rows<{ payload: string }>(
      `SELECT payload FROM event WHERE organisation_id = 1 AND event_key = ? ORDER BY id`,
      [page.sessionId],
    );
    const emitted = rows.map(({ payload }) => JSON.parse(payload)).filter(({ event }) => event);
    expect(emitted.map(({ event, other_items_asked_for: asked }) => [event, asked])).toEqual([
      ['session-started', undefined],
      ['session-resumed', true],
    ]);
    await page.submit({}, { save_number: 2 });
    const late = await ask(request({ session_id: page.sessionId }));
    expect(errorOf(late)).toMatchObject({ status: 409, code: 20011 });
  });

  it('continues a session that was created through the data API', async () => {
    const id = randomUUID();
    await submit(service, [
      submission(id, {
        status: 'Incomplete',
        completedAt: null,
        items: [{ reference: 'it-1', organisation: 1, time: 7, flagged: true }],
        responses: [{ responseId: 'own-id', item: 'it-1', question: 'q-1', response: { value: ['0'] }, revision: 3 }],
      }),
    ]);
    const page = await start({ session_id: id });
    expect(page.questions[0].response_id).toBe('own-id');
    expect(page.started.responses).toEqual({ 'own-id': { value: ['0'], revision: 3 } });
    expect(page.started.session.items).toEqual([{ id: 'it-1', time: 7, user_flagged: true }]);
    expect((await page.submit({ 'own-id': ['1'] })).status).toBe(200);
    expect(await page.stored()).toMatchObject({ status: 'Completed', score: 1 });
  });

  it('answers only pages from the domains of its consumers, also in preflight requests', async () => {
    const preflight = (origin: string) =>
      callPage(service.url, 'sessions', undefined, {
        method: 'OPTIONS',
        origin,
        headers: { 'Access-Control-Request-Method': 'POST' },
      });
    const own = await preflight(ORIGIN);
    expect(own.status).toBe(204);
    expect(own.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(own.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect((await preflight('https://evil.example')).headers.has('access-control-allow-origin')).toBe(false);
    // The page may read an error, too.
    const refused = await ask(request({ items: ['it-none'] }));
    expect(refused.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    const page = await start();
    const [{ response_id: id }] = page.questions;
    const foreign = await page.call('sessions/current/responses', page.saved({ [id]: ['1'] }), {
      method: 'PUT',
      origin: 'https://evil.example',
    });
    expect(errorOf(foreign)).toMatchObject({ status: 403, code: 41005 });
  });

  it('limits the token to its period, and requires it for every call', async () => {
    const page = await start();
    const [{ response_id: id }] = page.questions;
    const body = page.saved({ [id]: ['1'] });
    const put = (token: string | undefined) =>
      callPage(service.url, 'sessions/current/responses', body, { method: 'PUT', token });
    const { token } = page.started;
    for (const wrong of [
      undefined,
      'x',
      '',
      `2${token.slice(1)}`,
      `${token}x`,
      `99999999999.${token.slice(2)}`,
      '1.'.padEnd(45, 'a'),
    ])
      expect(errorOf(await put(wrong))).toMatchObject({ status: 401, code: 41003 });
    const rows = await service.database.rows<object>('SELECT * FROM delivery_token');
    expect(JSON.stringify(rows)).not.toContain(token.slice(2));
    const short = await TestPage.start(service, { items: ['it-1'] });
    service.clock.advance(168 * HOUR + 120_000);
    expect((await short.save({})).status).toBe(401);
  });

  it.each([
    ['a body that is not JSON', '{', 400, 20009],
    ['a body that is a list', '[1]', 400, 20009],
    ['request as an object', { security: {}, request: {} }, 400, 20003],
    ['an empty object', {}, 400, 20003],
    ['a large body', `{"request":"${'x'.repeat(2_200_000)}"}`, 413, 20001],
  ])('refuses %s with a status and an error code', async (_, body, status, code) => {
    expect(errorOf(await callPage(service.url, 'sessions', body))).toMatchObject({ status, code });
  });

  it.each<[string, object, number, string | undefined]>([
    ['no user', { user_id: undefined }, 20000, '/user_id'],
    ['no session', { session_id: '' }, 20000, '/session_id'],
    ['a session_id with blanks', { session_id: 'a b' }, 20004, '/session_id'],
    ['a session_id of markup', { session_id: '"><img>' }, 20004, '/session_id'],
    ['an unknown state', { state: 'begin' }, 20004, '/state'],
    ['an unknown type', { type: 'feedback' }, 20004, '/type'],
    ['an unknown activity', { activity_template_id: 'none' }, 30001, '/activity_template_id'],
    ['no items', { items: [] }, 20000, '/items'],
    ['10,000 items', { items: Array.from({ length: 10_000 }, (_, n) => `i-${n}`) }, 20002, '/items'],
    ['an item twice', { items: ['it-1', 'it-1'] }, 30003, '/items/1'],
    [
      'an id twice',
      {
        items: [
          { id: 'x', reference: 'it-1' },
          { id: 'x', reference: 'it-2' },
        ],
      },
      30003,
      '/items/1',
    ],
    ['items that are numbers', { items: [1, null, [], true] }, 20003, '/items/0'],
    ['another bank', { organisation_id: 2 }, 40003, '/organisation_id'],
    ['an item of another bank', { items: [{ reference: 'it-1', organisation_id: 2 }] }, 40003, '/items/0'],
    ['an organisation of text', { organisation_id: 'x' }, 20003, '/organisation_id'],
    ['an unknown pool', { item_pool_id: 'none' }, 30001, '/item_pool_id'],
    [
      'an adaptive activity without a type',
      { activity_template_id: 'a-adaptive', items: undefined },
      20004,
      '/adaptive/type',
    ],
    ['a review of an unknown session', { state: 'review' }, 20016, '/session_id'],
    ['an unknown scoring_type', { scoring_type: 'x' }, 20004, '/scoring_type'],
    ['an activity_id of 300 characters', { activity_id: 'x'.repeat(300) }, 20001, '/activity_id'],
  ])('refuses %s, and points to the wrong member', async (_, more, code, pointer) => {
    const answer = await ask(request(more));
    expect(errorOf(answer)).toMatchObject({ code, pointer });
    expect(answer.status).toBeLessThan(500);
  });

  it('reads per-dichotomous as the dichotomous scoring type, as everywhere', async () => {
    const { started } = await start({ scoring_type: 'per-dichotomous' });
    expect(started.items[0].metadata.scoring_type).toBe('dichotomous');
  });

  it('accepts unknown and odd members of a request', async () => {
    const odd = [null, 0, '', 'x', [], {}, [[]], { a: { b: [1] } }, true, -1, 1e21];
    const names = [
      'config',
      'name',
      'sections',
      'adaptive',
      'subscores',
      'rendering_type',
      'session_metadata',
      'dynamic_items',
    ];
    for (const name of names)
      for (const value of odd) {
        const { status, text } = await ask(request({ [name]: value }));
        expect({ name, value, isBug: status >= 500 && text }).toEqual({ name, value, isBug: false });
      }
    for (const name of ['questions_api_init_options', 'ignore_question_attributes', 'regions'])
      for (const value of odd) {
        const { status } = await ask(request({ config: { [name]: value } }));
        expect({ name, value, status }).toEqual({ name, value, status: 200 });
      }
  });

  it.each<[string, object]>([
    ['/config', { config: 'main' }],
    ['/config/time', { config: { time: 60 } }],
    ['/config/time/max_time', { config: { time: { max_time: '1 hour' } } }],
    ['/config/time/max_time', { config: { time: { max_time: -1 } } }],
    ['/config/time/limit_type', { config: { time: { max_time: 60, limit_type: 'Hard' } } }],
    ...[7, 'hard', ['hard'], { value: '20260815-1305' }, { type: 'Hard', value: '20260815-1305' }].map(
      (start_time): [string, object] => ['/config/time/start_time/type', { config: { time: { start_time } } }],
    ),
    ...[undefined, '', 20260815, '2026-08-15T13:05Z', '20260230-1305', '20260815-2400', '20260815-13051'].map(
      (value): [string, object] => [
        '/config/time/start_time/value',
        { config: { time: { start_time: { type: 'hard', value } } } },
      ],
    ),
    ['/config/navigation', { config: { navigation: true } }],
    ['/config/configuration', { config: { configuration: ['x'] } }],
    ['/sections', { sections: { items: ['it-1'] } }],
    ['/sections/0', { items: undefined, sections: ['it-1'] }],
    [
      '/sections/0/config/time/limit_type',
      { items: undefined, sections: [{ items: ['it-1'], config: { time: { limit_type: 1 } } }] },
    ],
    ['/items', { items: 'it-1' }],
    ['/session_metadata', { session_metadata: 'x' }],
    ['/rendering_type', { rendering_type: 'player' }],
    ['/activity_id', { activity_id: undefined }],
    ['/activity_id', { activity_id: 7 }],
  ])('refuses a wrong value at %s, so that no option is silently off: %j', async (pointer, more) => {
    const { status, body } = await ask(request(more));
    expect({ status, pointer: body.errors?.[0].pointer }).toEqual({ status: 400, pointer });
  });

  it('accepts empty lists where PHP writes an empty object, numbers as text, and no activity_id in local practice', async () => {
    const config = { time: [], navigation: [], configuration: [] };
    for (const more of [
      { config: [] },
      { config },
      { config: { time: { max_time: '60' } } },
      { config: { time: { max_time: false, limit_type: null } } },
      ...[[], {}, '', null, false, { type: '', value: '' }].map((start_time) => ({ config: { time: { start_time } } })),
      { type: 'local_practice', activity_id: undefined },
    ])
      expect({ more, status: (await ask(request(more))).status }).toEqual({ more, status: 200 });
  });

  it('answers unknown paths and methods with the existing ones', async () => {
    expect(errorOf(await callPage(service.url, 'sessions', undefined, { method: 'GET' }))).toMatchObject({
      status: 405,
      code: 40001,
    });
    expect(errorOf(await callPage(service.url, 'elsewhere', {}))).toMatchObject({ status: 404, code: 20012 });
    expect(
      errorOf(await callPage(service.url, 'sessions', 'x=1', { headers: { 'Content-Type': 'text/plain' } })),
    ).toMatchObject({ status: 400, code: 20009 });
  });

  it('limits how often one page may call', async () => {
    const page = await start();
    const answers = [];
    for (let count = 0; count < 52; count++)
      answers.push(await page.call('sessions/current/pauses', { paused: false }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(answers.at(-1)!.headers.get('retry-after')).toBe('5');
    expect(errorOf(answers.at(-1)!)).toMatchObject({ status: 429, code: 42000 });
  });

  it('starts one session when many pages start it at once', async () => {
    const session_id = randomUUID();
    const pages = await Promise.all(Array.from({ length: 6 }, () => start({ session_id, items: ['it-1', 'it-2'] })));
    expect(new Set(pages.map(({ questions }) => JSON.stringify(questions))).size).toBe(1);
    expect(new Set(pages.map(({ started }) => started.token)).size).toBe(6);
    expect(await service.database.rows('SELECT * FROM attempt WHERE session_id = ?', [session_id])).toHaveLength(1);
    // Before the first save, new items replace the first ones; the clock keeps running.
    service.clock.advance(30_000);
    const config = { time: { max_time: 60 } };
    const other = await start({ session_id, items: ['it-2'], config });
    expect(other.started).toMatchObject({ session: { existing: false }, time: { remaining_seconds: 30 } });
    expect(other.questions).toHaveLength(1);
  });

  it.each([
    [7, 200, null],
    [8, 503, '1'],
  ])(
    'retries a start up to seven times: after %i concurrent changes it answers %i',
    async (times, status, retryAfter) => {
      const session_id = randomUUID();
      await start({ session_id, items: ['it-1'] });
      const { database } = service;
      const { rows } = database;
      let reads = 0;
      // Each read of the attempt is followed by a change, before the start writes.
      database.rows = async (sql, ...more) => {
        const found = await rows.call(database, sql, ...more);
        if (sql.includes('LEFT JOIN attempt') && ++reads <= times)
          await database.write('UPDATE attempt SET version = version + 1 WHERE session_id = ?', [session_id]);
        return found as never;
      };
      try {
        const answer = await ask(request({ session_id, items: ['it-2'] }));
        expect([answer.status, answer.headers.get('retry-after'), reads]).toEqual([status, retryAfter, 8]);
        if (status === 503) expect(answer.text).toContain('Too many starts of one session at once; send it again.');
      } finally {
        Object.assign(database, { rows });
      }
      const [stored] = await database.rows<{ plan: string }>('SELECT plan FROM attempt WHERE session_id = ?', [
        session_id,
      ]);
      expect(stored!.plan.includes('it-2')).toBe(status === 200);
      expect((await start({ session_id, items: ['it-2'] })).questions).toHaveLength(1);
    },
  );

  it('shows items of an item pool, and of other item banks that the consumer may read', async () => {
    await fillPool(service, 'pool', ['it-1']);
    await write(service.client, {
      questions: [question({ reference: 'q-1', data: { type: 'mcq', stimulus: 'New', options: [] } })],
    });
    const pooled = await start({ item_pool_id: 'pool' });
    expect(pooled.questions[0].stimulus).toBe('<p>Which number is even?</p>');
    expect((await start()).questions[0].stimulus).toBe('New');
    expect(errorOf(await ask(request({ item_pool_id: 'pool', items: ['it-2'] })))).toMatchObject({ code: 20013 });

    const grants = [
      { organisation: 2, access: 'write', primary: true },
      { organisation: 1, access: 'read', primary: false },
    ] as const;
    const both = await service.consumer({ grants: [...grants] });
    for (const items of [[{ reference: 'it-1', organisation_id: 1 }], ['it-1']]) {
      const more = items[0] === 'it-1' ? { organisation_id: 1 } : {};
      const page = await TestPage.start(service, { items, ...more }, both);
      expect(page.started.session.organisation_id).toBe(2);
      expect((await page.submit({ [page.questions[0].response_id]: ['1'] })).status).toBe(200);
      const { data } = await both.get('sessions/responses', { session_id: [page.sessionId] });
      expect(data[0].items[0]).toMatchObject({ reference: 'it-1', source: { organisation_id: 1 } });
    }
  });

  it('shows a preview without storing anything', async () => {
    const page = await start({ state: 'preview' });
    expect(page.started).toMatchObject({ session: { state: 'preview' }, responses: {} });
    expect((await page.save({})).status).toBe(400);
    expect(await service.database.rows('SELECT * FROM attempt WHERE session_id = ?', [page.sessionId])).toEqual([]);
  });
});

function stamp(service: TestService, by: number): string {
  const iso = new Date(service.clock.now() + by).toISOString();
  return `${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 16).replace(':', '')}`;
}
