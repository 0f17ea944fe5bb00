import { JobRunner, Jobs } from '#jobs';
import { type Browser, newPerson, signedIn } from '../support/browser';
import { anEngine } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { resultsOf, resultsOfStarted } from '../support/submissions';
import { workflow } from '../support/builders';
import { write } from '../support/bank';

/** Occurs only in keys and rationales. */
const SECRET = 'swordfish';

const question = (reference: string) => ({
  reference,
  type: 'mcq',
  data: {
    stimulus: 'Which fish?',
    options: [
      { label: 'Cod', value: '0' },
      { label: 'Pike', value: SECRET },
    ],
    validation: { scoring_type: 'exactMatch', valid_response: { score: 1, value: [SECRET] } },
    metadata: { distractor_rationale: SECRET, sample_answer: SECRET },
    hints: [SECRET],
    unheard_of: SECRET,
  },
  metadata: { name: SECRET },
});
const essay = (reference: string) => ({
  reference,
  type: 'longtextV2',
  data: { stimulus: 'Write.', metadata: { rubric: SECRET }, validation: { max_score: 3, note: SECRET } },
});
const item = (reference: string, more: object = {}) => ({
  reference,
  definition: { widgets: [{ reference: 'q-1' }, { reference: 'q-2' }] },
  ...more,
});

describe.each(anEngine(__filename))('people and content on %s', (engine) => {
  const service = serviceOfSuite(() => startServiceLater(engine));
  let viewer: Browser;
  let author: Browser;
  let reviewer: Browser;
  let operator: Browser;
  const statusOf = async (reference: string) => {
    const { data } = await service.client.get('itembank/items', { references: [reference] });
    return data[0]?.status;
  };

  beforeAll(async () => {
    expectSuccess(await service.client.set('itembank/questions', { questions: [question('q-1'), essay('q-2')] }));
    const published = item('published', {
      status: 'published',
      dynamic_content_data: { cols: ['x'], rows: { r: { values: [SECRET] } } },
    });
    expectSuccess(await service.client.set('itembank/items', { items: [published, item('draft')] }));
    await write(service.client, { workflows: [workflow('flow', { draft: ['done'], done: [] })] });
    viewer = (await signedIn(service, ['viewer'])).browser;
    author = (await signedIn(service, ['author'])).browser;
    reviewer = (await signedIn(service, ['reviewer'])).browser;
    operator = (await signedIn(service, ['operator'])).browser;
  });
  beforeEach(() => service.clock.advance(6_000));

  describe('a viewer', () => {
    it('gets questions without keys, rationales and hints, in every form of the read', async () => {
      service.clock.advance(60_000);
      const reads: object[] = [
        {},
        { references: ['q-1', 'q-2'] },
        { item_references: ['published'] },
        { types: ['mcq'], include: { questions: ['dt_created', 'revision'] } },
        { as_of: Math.floor(service.clock.now() / 1000) - 30 },
        { organisation_id: 1, limit: 1, sort_field: 'updated' },
      ];
      for (const read of reads) {
        const answer = await viewer.call('itembank/questions', 'get', read);
        expectSuccess(answer);
        expect(answer.text).toMatch(/Which fish\?|Write\./);
        // The value of an option is not secret: learners get it.
        expect(answer.text.replaceAll(`"value":"${SECRET}"`, '')).not.toContain(SECRET);
        expect(answer.text).not.toContain('valid_response');
        service.clock.advance(6_000);
      }
    });

    it('gets the definition that learners get, under the usual members', async () => {
      const { data } = await viewer.call('itembank/questions', 'get', { references: ['q-1'] });
      expect(data).toEqual([
        {
          reference: 'q-1',
          widget_type: 'response',
          type: 'mcq',
          data: { type: 'mcq', stimulus: 'Which fish?', options: question('q-1').data.options },
        },
      ]);
    });

    it('gets items without the values of dynamic content', async () => {
      const answer = await viewer.call('itembank/items', 'get', {
        include: { items: ['dynamic_content_data', 'revision'] },
      });
      expectSuccess(answer);
      expect(answer.data.map((each: { reference: string }) => each.reference).sort()).toEqual(['draft', 'published']);
      expect(answer.text).not.toContain(SECRET);
    });

    it('cannot search in definitions, which would reveal keys letter by letter', async () => {
      const request = { types: ['mcq'], content_search: `"value":["${SECRET[0]}` };
      const { status, meta } = await viewer.call('itembank/questions', 'get', request);
      expect([status, meta.code, meta.errors]).toEqual([
        403,
        40003,
        [expect.objectContaining({ pointer: '/content_search' })],
      ]);
      expectSuccess(await author.call('itembank/questions', 'get', request));
    });
  });

  it.each(['marker', 'analyst', 'author', 'reviewer', 'operator'] as const)(
    'a %s gets questions with keys',
    async (role) => {
      const { browser } = await signedIn(service, [role]);
      const { text } = await browser.call('itembank/questions', 'get');
      expect(text).toContain('valid_response');
    },
  );

  describe('an author', () => {
    it('cannot publish an item by its status', async () => {
      const { status, meta } = await author.call('itembank/items', 'set', {
        items: [item('new'), item('newer', { status: 'published' })],
      });
      expect([status, meta.code, meta.errors]).toEqual([
        403,
        40003,
        [expect.objectContaining({ pointer: '/items/1/status' })],
      ]);
      expect(await statusOf('new')).toBeUndefined();
      expectSuccess(
        await author.call('itembank/items', 'set', { items: [item('new'), item('newer', { status: 'unpublished' })] }),
      );
    });

    it.each([
      ['into its final state', { reference: 'flow', state: 'done' }],
      ['into its initial state', { reference: 'flow', state: 'draft' }],
      ['out of it', null],
    ])('cannot move an item in a workflow: %s', async (_, authoring_workflow) => {
      const { status, meta } = await author.call('itembank/items', 'set', {
        items: [item('draft', { authoring_workflow })],
      });
      expect([status, meta.code, meta.errors]).toEqual([
        403,
        40003,
        [expect.objectContaining({ pointer: '/items/0/authoring_workflow' })],
      ]);
    });

    it('unpublishes an item by setting it again', async () => {
      expectSuccess(await service.client.set('itembank/items', { items: [item('out', { status: 'published' })] }));
      expectSuccess(await author.call('itembank/items', 'set', { items: [item('out')] }));
      expect(await statusOf('out')).toBe('unpublished');
    });

    it('copies a published item as an unpublished one', async () => {
      const copy = { reference: 'published', new_reference: 'copy' };
      expectSuccess(await author.call('itembank/items/duplicate', 'set', { items: [copy] }));
      expect(await statusOf('copy')).toBe('unpublished');
      expect(await statusOf('published')).toBe('published');
      const other = { reference: 'published', new_reference: 'copy-of-operator' };
      expectSuccess(await operator.call('itembank/items/duplicate', 'set', { items: [other] }));
      expect(await statusOf('copy-of-operator')).toBe('published');
    });

    it('copies the items of an activity as unpublished ones', async () => {
      expectSuccess(
        await service.client.set('itembank/activities', {
          activities: [{ reference: 'ac', data: { items: ['published'] } }],
        }),
      );
      const request = { activities: [{ reference: 'ac', new_reference: 'ac-2' }] };
      const started = await author.call('itembank/activities/duplicate', 'set', request);
      const results = (await resultsOfStarted(service, started)) as { items: { new_reference: string }[] };
      expect(await statusOf(results.items[0]!.new_reference)).toBe('unpublished');
    });

    it('restores the content of an item, but neither its publication nor its workflow state', async () => {
      const { client } = service;
      const read = { references: ['back'], include: { items: ['revision', 'authoring_workflow'] } };
      const flow = { reference: 'flow', state: 'draft' };
      expectSuccess(await client.set('itembank/items', { items: [item('back', { authoring_workflow: flow })] }));
      service.clock.advance(1_000);
      expectSuccess(
        await client.set('itembank/items', {
          items: [item('back', { title: 'Old', authoring_workflow: { ...flow, state: 'done' } })],
        }),
      );
      const [old] = (await client.get('itembank/items', read)).data;
      expect(old.status).toBe('published');
      service.clock.advance(1_000);
      expectSuccess(
        await client.set('itembank/items', {
          items: [item('back', { status: 'unpublished', authoring_workflow: flow })],
        }),
      );
      const restore = { items: [{ reference: 'back', revision: old.revision }] };
      expectSuccess(await author.call('itembank/history/restore', 'set', restore));
      expect((await client.get('itembank/items', read)).data).toEqual([
        expect.objectContaining({ title: 'Old', status: 'unpublished', authoring_workflow: flow }),
      ]);
      service.clock.advance(6_000);
      expectSuccess(await operator.call('itembank/history/restore', 'set', restore));
      expect(await statusOf('back')).toBe('published');
    });
  });

  it('a reviewer publishes items and moves them', async () => {
    expectSuccess(await reviewer.call('itembank/items', 'set', { items: [item('r-1', { status: 'published' })] }));
    expect(await statusOf('r-1')).toBe('published');
    const authoring_workflow = { reference: 'flow', state: 'draft' };
    expectSuccess(await reviewer.call('itembank/items', 'set', { items: [item('r-2', { authoring_workflow })] }));
    expectSuccess(
      await reviewer.call('itembank/items', 'set', {
        items: [item('r-2', { authoring_workflow: { ...authoring_workflow, state: 'done' } })],
      }),
    );
    expect(await statusOf('r-2')).toBe('published');
  });

  it('shows the results of a job only to those who could have started it', async () => {
    // This type is unknown, like one from a later release.
    service.get(JobRunner).register({ type: 'unheard-of', run: async () => '{"files":["of learners"]}' });
    const unheard = { type: 'unheard-of', lane: 'short', input: 'null' } as const;
    const reference = await service.get(Jobs).start(unheard, service.scope());
    await resultsOf(service, reference);
    const seen = async (browser: Browser, more: object = {}) =>
      (await browser.call('jobs', 'get', { references: [reference], ...more })).data[0];
    const all = await seen(operator);
    expect(all.results).toEqual({ files: ['of learners'] });
    const marker = (await signedIn(service, ['marker'])).browser;
    const analyst = (await signedIn(service, ['analyst'])).browser;
    for (const browser of [author, reviewer, marker, analyst]) {
      expect(await seen(browser)).toEqual({ ...all, results: null });
      expect(await seen(browser, { include: ['results', 'error'] })).toEqual({ results: null, error: null });
      expect(await seen(browser, { organisation_id: 1 })).toMatchObject({ results: null });
    }
    const copied = await author.call('itembank/activities/duplicate', 'set', { activities: [{ reference: 'ac' }] });
    await resultsOfStarted(service, copied);
    const own = (await author.call('jobs', 'get', { references: [copied.data.job_reference] })).data[0];
    expect(own.results.activities).toHaveLength(1);
  });

  it('the author in the history is the person, whatever meta.user says', async () => {
    const { person, browser } = await signedIn(service, ['author'], {
      firstname: 'Grace',
      lastname: 'Hopper',
      email: 'grace@example.org',
    });
    const meta = { user: { id: 'somebody-else', firstname: 'Some', lastname: 'Body', email: 'x@example.org' } };
    expectSuccess(await browser.call('itembank/items', 'set', { meta, items: [item('of-grace')] }));
    expectSuccess(
      await browser.call('itembank/questions', 'set', {
        meta: { user: { id: 'manual-user' } },
        questions: [essay('q-grace')],
      }),
    );
    const { data } = await service.client.get('itembank/items', {
      references: ['of-grace'],
      include: { items: ['created_by', 'last_updated_by'] },
    });
    expect(data).toEqual([expect.objectContaining({ created_by: person.id, last_updated_by: person.id })]);
    for (const [kind, reference] of [
      ['item', 'of-grace'],
      ['question', 'q-grace'],
    ]) {
      const history = await service.client.get('itembank/history', { kind, references: [reference] });
      expect(history.data).toEqual([expect.objectContaining({ created_by: person.id })]);
    }
    const names = await service.database.rows('SELECT firstname, lastname, email FROM author WHERE id = ?', [
      person.id,
    ]);
    expect(names).toEqual([{ firstname: 'Grace', lastname: 'Hopper', email: 'grace@example.org' }]);
    const authors = await service.database.rows<{ id: string }>('SELECT id FROM author');
    expect(authors.map(({ id }) => id)).not.toContain('somebody-else');
  });

  it('accepts names of authors up to the maximum length', async () => {
    const email = `${'x'.repeat(64)}@${'ß'.repeat(90)}`;
    const { person, browser } = await signedIn(service, ['author'], {
      firstname: 'é'.repeat(50),
      lastname: '😀'.repeat(50),
      email,
    });
    expectSuccess(await browser.call('itembank/items', 'set', { items: [item('of-long-names')] }));
    const rows = await service.database.rows('SELECT firstname, lastname, email FROM author WHERE id = ?', [person.id]);
    expect(rows).toEqual([{ firstname: 'é'.repeat(50), lastname: '😀'.repeat(50), email }]);
  });

  describe('of several organisations', () => {
    it('a person names the organisation, and has only the roles of that one', async () => {
      const { browser } = await signedIn(service, { 1: ['viewer'], 2: ['author'] });
      const unnamed = await browser.call('itembank/questions', 'get');
      expect([unnamed.status, unnamed.meta.code]).toEqual([403, 40002]);
      expect(unnamed.meta.errors).toMatchObject([{ code: 40002, pointer: '/organisation_id' }]);
      const seen = await browser.call('itembank/questions', 'get', { organisation_id: 1 });
      expect(seen.text).toContain('Which fish?');
      expect(seen.text).not.toContain('valid_response');
      const written = await browser.call('itembank/questions', 'set', { organisation_id: 1, questions: [essay('no')] });
      expect([written.status, written.meta.code]).toEqual([403, 40003]);
      expectSuccess(
        await browser.call('itembank/questions', 'set', { organisation_id: 2, questions: [question('in-2')] }),
      );
      expect((await browser.call('itembank/questions', 'get', { organisation_id: 2 })).text).toContain(
        'valid_response',
      );
    });

    it('a person of one gets nothing of another, named or held by an activity', async () => {
      const { browser } = await signedIn(service, { 2: ['operator'] });
      for (const organisation_id of [1, 3, 2_147_483_647]) {
        const { status, meta } = await browser.call('itembank/items', 'get', { organisation_id });
        expect([status, meta.code]).toEqual([403, 40003]);
      }
      const { data } = await browser.call('itembank/items', 'get');
      expect(data).toEqual([]);
    });

    it('a person without roles may call nothing', async () => {
      const { person, browser } = await signedIn(service, ['viewer']);
      await service.database.write('DELETE FROM person_role WHERE person_id = ?', [person.id]);
      expect((await browser.readSession()).body.organisations).toEqual([]);
      const { status, meta } = await browser.call('itembank/items', 'get');
      expect([status, meta.code]).toEqual([403, 40003]);
    });
  });

  it('a role of a later release grants nothing', async () => {
    const { person, browser } = await signedIn(service, ['viewer']);
    for (const role of ['owner', 'constructor', 'toString'])
      await service.database.insert('person_role', ['organisation_id', 'person_id', 'role'], [[1, person.id, role]]);
    expect((await browser.readSession()).body.organisations[0].roles).toEqual(['viewer']);
    expect((await browser.call('itembank/history', 'get', { kind: 'item', references: ['draft'] })).status).toBe(403);
  });

  it('roles hold from the next call', async () => {
    const { person, browser } = await signedIn(service, ['viewer']);
    const write = () => browser.call('itembank/questions', 'set', { questions: [essay('q-later')] });
    expect((await write()).status).toBe(403);
    await service.database.insert('person_role', ['organisation_id', 'person_id', 'role'], [[1, person.id, 'author']]);
    expectSuccess(await write());
  });

  it('an address has only one account, whatever its case', async () => {
    await newPerson(service, ['viewer'], { email: 'Anna@Example.org' });
    await expect(newPerson(service, ['viewer'], { email: 'anna@example.ORG ' })).rejects.toThrow(
      /account for anna@example.ORG already/,
    );
  });
});
