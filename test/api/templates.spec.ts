import { type BaseTemplate, type PlayerTemplate, Templates } from '#content';
import { type Fault } from '#kernel';
import { activity, item, question } from '../support/builders';
import { type Client } from '../support/client';
import { anEngine } from '../support/engines';
import { expectFailure, expectSuccess } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';

const PLAYER = 'itembank/playertemplates';
const BASE = 'itembank/activities/templates';

/** A text that would change if it were parsed and written again. */
const JSON_TEXT =
  '{ "regions":{"top-left":[{"type":"title_element"}]},"10":1.0,"1":12345678901234567890,"x":"\\u00e9 😀"}';

const player = (reference: string, values: Partial<PlayerTemplate> = {}): PlayerTemplate => ({
  reference,
  name: `"${reference}" for Ünits\n😀`,
  json: JSON_TEXT,
  ...values,
});
const base = (reference: string, values: Partial<BaseTemplate> = {}): BaseTemplate => ({
  reference,
  description: `"${reference}" for Ünits\n😀`,
  status: 'published',
  data: JSON_TEXT,
  ...values,
});

describe.each(anEngine(__filename))('templates on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  let stranger: Client;
  let templates: Templates;

  beforeAll(async () => {
    stranger = await service.consumerOf([2, 'write']);
    templates = service.get(Templates);
  });

  it('do not exist at first', async () => {
    for (const path of [PLAYER, BASE]) {
      const answer = await client.get(path);
      expectSuccess(answer);
      expect([answer.data, answer.meta.records]).toEqual([[], 0]);
    }
  });

  it('are all returned for players, by reference, with their JSON unchanged', async () => {
    await templates.putPlayerTemplates(1, [player('b'), player('a b', { name: 'n', json: '{}' }), player('B')]);
    const answer = await client.get(PLAYER);
    expectSuccess(answer);
    expect(answer.data.map(({ reference }: PlayerTemplate) => reference)).toEqual(['B', 'a b', 'b']);
    expect(answer.data[1]).toEqual({ name: 'n', reference: 'a b', json: {} });
    expect(answer.data[2]).toEqual({ name: '"b" for Ünits\n😀', reference: 'b', json: JSON.parse(JSON_TEXT) });
    expect(answer.text.split(JSON_TEXT)).toHaveLength(3);
    expect(answer.meta.records).toBe(3);
  });

  it('are all returned for activities, by reference, with any status', async () => {
    await templates.putBaseTemplates(1, [base('b'), base('a', { status: 'archived', description: '', data: '{}' })]);
    const answer = await client.get(BASE);
    expectSuccess(answer);
    expect(answer.data).toEqual([
      { reference: 'a', data: {}, description: '', status: 'archived' },
      { reference: 'b', data: JSON.parse(JSON_TEXT), description: '"b" for Ünits\n😀', status: 'published' },
    ]);
    expect(answer.text.split(JSON_TEXT)).toHaveLength(2);
  });

  it('accept only the organisation as a parameter, and are read only from it', async () => {
    await templates.putPlayerTemplates(2, [player('theirs')]);
    await templates.putBaseTemplates(2, [base('theirs')]);
    for (const path of [PLAYER, BASE]) {
      const { data } = await client.get(path);
      const ignored = { references: ['nowhere'], limit: 1, next: 'x', status: ['archived'] };
      expect((await client.get(path, { organisation_id: 1, ...ignored })).data).toEqual(data);
      expect((await stranger.get(path)).data).toMatchObject([{ reference: 'theirs' }]);
      expectFailure(await stranger.get(path, { organisation_id: 1 }), 403, 40003);
      expectFailure(await client.set(path, {}), 404, 20012);
    }
  });

  it('are replaced and removed by reference', async () => {
    await templates.putPlayerTemplates(1, [player('b', { name: 'new' }), player('c')]);
    await templates.removePlayerTemplates(1, ['B', 'a b']);
    expect((await client.get(PLAYER)).data).toMatchObject([{ reference: 'b', name: 'new' }, { reference: 'c' }]);
    await templates.putBaseTemplates(1, [base('b', { status: 'archived' })]);
    await templates.removeBaseTemplates(1, ['a']);
    expect((await client.get(BASE)).data).toMatchObject([{ reference: 'b', status: 'archived' }]);
    expect((await stranger.get(PLAYER)).data).toMatchObject([{ reference: 'theirs' }]);
    expect((await stranger.get(BASE)).data).toMatchObject([{ reference: 'theirs' }]);
  });

  it('are named by activities without changing them', async () => {
    const [widget, held] = [question(), item([])];
    held.definition.widgets = [{ reference: widget.reference }];
    expectSuccess(await client.set('itembank/questions', { questions: [widget] }));
    expectSuccess(await client.set('itembank/items', { items: [held] }));
    const named = ['b', 'nowhere'].map((base_template_id) => activity([held.reference], { base_template_id }));
    expectSuccess(await client.set('itembank/activities', { activities: named }));
    const references = named.map(({ reference }) => reference);
    const { data } = await client.get('itembank/activities', { references, sort: 'asc' });
    expect(data).toMatchObject([{ base_template_id: 'b' }, { base_template_id: 'nowhere' }]);
    for (const read of data) expect(read.data).not.toHaveProperty('regions');
  });

  describe('when provisioned', () => {
    const refusal = async (written: Promise<void>) =>
      written.then(
        () => undefined,
        ({ kind, at }: Fault) => [kind, at],
      );

    it.each([
      ['no name', player('x', { name: '' }), 'length', 'name'],
      ['a long name', player('x', { name: 'n'.repeat(256) }), 'length', 'name'],
      ['half a character', player('x', { name: '\ud800' }), 'value', 'name'],
      ['a list for JSON', player('x', { json: '[]' }), 'schema', 'json'],
      ['null for JSON', player('x', { json: 'null' }), 'schema', 'json'],
      ['a text for JSON', player('x', { json: '"{}"' }), 'schema', 'json'],
      ['no JSON', player('x', { json: '{"a":1},{"b":2}' }), 'schema', 'json'],
      ['a foreign character', player('a"b'), 'value', 'reference'],
      ['no reference', player(''), 'length', 'reference'],
      ['a reference twice', player('fine'), 'duplicate', 'reference'],
    ])('are all rejected when one of a player has %s', async (_, wrong, kind, at) => {
      const before = (await client.get(PLAYER)).data;
      expect(await refusal(templates.putPlayerTemplates(1, [player('fine'), wrong]))).toEqual([
        kind,
        `/player_templates/1/${at}`,
      ]);
      expect((await client.get(PLAYER)).data).toEqual(before);
    });

    it.each([
      ['another status', base('x', { status: 'unpublished' as 'archived' }), 'value', 'status'],
      ['half a character', base('x', { description: 'x\udc00' }), 'value', 'description'],
      ['no data', base('x', { data: '' }), 'schema', 'data'],
      ['a number for data', base('x', { data: '7' }), 'schema', 'data'],
      ['a long reference', base('r'.repeat(151)), 'length', 'reference'],
      ['a reference twice', base('fine'), 'duplicate', 'reference'],
    ])('are all rejected when one of an activity has %s', async (_, wrong, kind, at) => {
      const before = (await client.get(BASE)).data;
      expect(await refusal(templates.putBaseTemplates(1, [base('fine'), wrong]))).toEqual([
        kind,
        `/base_templates/1/${at}`,
      ]);
      expect((await client.get(BASE)).data).toEqual(before);
    });

    it('may be large', async () => {
      const text = JSON.stringify({ custom_data: { text: 'é'.repeat(1_000_000) } });
      await templates.putPlayerTemplates(1, [player('large', { name: 'n'.repeat(255), json: text })]);
      expect((await client.get(PLAYER)).text).toContain(text);
      await templates.removePlayerTemplates(1, ['large']);
    });
  });
});
