import { differences, spell } from '../examples/difference';
import { withoutFilledIn } from '../examples/expected';
import { type JsonObject } from '../examples/shapes';
import { type Answer } from '../support/client';
import { engines } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { serviceOfSuite, startService } from '../support/service';
import { DAY, MINUTE } from '../support/time';
import { activities, drills, items } from './varied-content';
import { features, type Json, questions } from './varied-widgets';

const allItems = [...items, ...drills];
const MAX_ENTRIES = 50;

const KINDS = ['questions', 'features', 'items', 'activities'] as const;
type Kind = (typeof KINDS)[number];

/** Members that reads return only on request. */
const EXTRAS: Record<Kind, string[]> = {
  questions: ['revision', 'dt_created', 'dt_updated'],
  features: ['revision', 'dt_created', 'dt_updated'],
  items: [
    'revision',
    'dt_created',
    'dt_updated',
    'created_by',
    'last_updated_by',
    'adaptive',
    'dynamic_content_data',
    'authoring_workflow',
    'max_score',
  ],
  activities: ['revision', 'dt_created', 'dt_updated', 'created_by', 'last_updated_by', 'title', 'metadata'],
};

/** Records by reference. */
type Records = Record<string, Json>;
/** All records of a bank. */
type Bank = Record<Kind, Records>;

const WORKFLOW = {
  reference: 'Editorial desk (all)',
  initial_state_reference: 'черновик',
  final_state_reference: '完成',
  workflow_states: [
    {
      reference: 'черновик',
      label: 'Черновик',
      workflow_transitions: [{ to_state_reference: '完成', display_order: 1 }],
    },
    { reference: '完成', label: '完成 ✓', workflow_transitions: [] },
  ],
};
const at = (state: string) => ({ authoring_workflow: { reference: WORKFLOW.reference, state } });

describe.each(engines)('content of every shape on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));
  const { client } = service;
  beforeAll(async () => {
    // Ids never run backwards in a process, so each engine's time begins after that of the previous one.
    service.clock.advance(engines.indexOf(engine) * 1_000 * DAY);
  });

  /** Writes sets of 50 by an author, a minute after the previous writes. */
  async function write(author: string, path: string, member: string, entries: readonly object[]): Promise<Answer[]> {
    service.clock.advance(MINUTE);
    const answers: Answer[] = [];
    for (let from = 0; from < entries.length; from += MAX_ENTRIES) {
      const part = entries.slice(from, from + MAX_ENTRIES);
      const answer = await client.set(`itembank/${path}`, { [member]: part, meta: { user: { id: author } } });
      expectSuccess(answer);
      expect(answer.meta).not.toHaveProperty('sanitised');
      answers.push(answer);
    }
    return answers;
  }
  const set = (author: string, kind: Kind, entries: readonly object[]) => write(author, kind, kind, entries);

  /** Everything that reads return about the bank. */
  async function read(asOf?: number): Promise<Bank> {
    const bank: Partial<Bank> = {};
    const past = asOf === undefined ? {} : { as_of: asOf / 1000 };
    for (const kind of KINDS) {
      const request = { include: { [kind]: EXTRAS[kind] }, ...past };
      const records = (await client.all(`itembank/${kind}`, request)) as Json[];
      bank[kind] = Object.fromEntries(records.map((record) => [record.reference as string, record]));
    }
    return bank as Bank;
  }

  const moments: { at: number; bank: Bank }[] = [];
  /** Reads the bank and records its state at this moment. */
  async function remember(): Promise<Bank> {
    const bank = await read();
    moments.push({ at: service.clock.now(), bank });
    return bank;
  }

  it('survives writing, publishing, copying, overwriting and restoring, and reads of every past moment', async () => {
    expectSuccess(await client.set('itembank/workflows', { workflows: [WORKFLOW] }));
    await set('ada', 'questions', questions);
    await set('ada', 'features', features);
    await set(
      'ada',
      'items',
      allItems.map((item) => ({ ...item, ...at('черновик') })),
    );
    await set('ada', 'activities', activities);
    const written = await remember();
    expectSame(contentOf(written), SENT);

    // Writes back what was read, with another status.
    await set(
      'ben',
      'items',
      Object.values(written.items).map((item) => ({ ...item, ...at('完成') })),
    );
    const published = await remember();
    const live = { ...SENT, items: mapped(SENT.items, { status: 'published', ...at('完成') }) };
    expectSame(contentOf(published), live);
    for (const item of Object.values(published.items))
      expect(item).toMatchObject({ created_by: 'ada', last_updated_by: 'ben' });

    await duplicateAll();
    const duplicated = await remember();
    const [originals, copies] = divided(duplicated);
    expectSame(originals, published);
    expectCopies(contentOf(copies));

    await overwriteAll();
    const [overwritten] = divided(await remember());
    for (const kind of KINDS)
      for (const [reference, record] of Object.entries(contentOf(overwritten)[kind]))
        expect(differences(live[kind][reference], record, '')).not.toEqual([]);

    await restoreAll(published);
    const [restored, others] = divided(await remember());
    expectSame(contentOf(restored), live);
    expectSame(contentOf(others), contentOf(copies));
    for (const item of Object.values(restored.items))
      expect(item).toMatchObject({ created_by: 'ada', last_updated_by: 'eve' });

    service.clock.advance(MINUTE);
    for (const moment of moments) expectSame(await read(moment.at), moment.bank);
  });

  async function duplicateAll(): Promise<void> {
    const entries = allItems.map(({ reference }) => ({ reference, new_reference: `${COPY}${reference}` }));
    const answers = await write('cay', 'items/duplicate', 'items', entries);
    const copies = answers.flatMap(({ data }) => Object.entries(data as Records));
    expect(copies.map(([reference, copy]) => ({ reference, new_reference: copy.reference }))).toEqual(entries);
  }

  async function overwriteAll(): Promise<void> {
    const empty = { type: 'plaintext', data: { type: 'plaintext' }, metadata: null };
    await set(
      'dan',
      'questions',
      questions.map(({ reference }) => ({ reference, ...empty })),
    );
    await set(
      'dan',
      'features',
      features.map(({ reference }) => ({ reference, ...empty })),
    );
    const definition = { widgets: [{ reference: 'line' }, { reference: 'calculator' }] };
    const gone = { definition, authoring_workflow: null, adaptive: null, dynamic_content_data: null };
    await set(
      'dan',
      'items',
      allItems.map(({ reference }) => ({ reference, ...gone })),
    );
    await set(
      'dan',
      'activities',
      activities.map(({ reference }) => ({
        reference,
        title: 'Gone',
        metadata: null,
        data: { items: ['drill-0'] },
      })),
    );
  }

  async function restoreAll(bank: Bank): Promise<void> {
    for (const kind of KINDS) {
      const entries = Object.values(bank[kind]).map(({ reference, revision }) => ({ reference, revision }));
      await write('eve', 'history/restore', kind, entries);
    }
  }
});

const COPY = 'copy of ';

/** What was sent, in the form of reads. */
const SENT: Bank = {
  questions: mapped(byReference(questions), { widget_type: 'response' }),
  features: mapped(byReference(features), { widget_type: 'feature' }),
  items: mapped(byReference(allItems), { workflow: null, ...at('черновик') }),
  activities: byReference(activities),
};

function byReference(records: readonly Json[]): Records {
  return Object.fromEntries(records.map((record) => [record.reference as string, record]));
}

function mapped(records: Records, values: Json): Records {
  return Object.fromEntries(
    Object.entries(records).map(([reference, record]) => [reference, { ...record, ...values }]),
  );
}

/** Members about time and author, and derived members. */
const FACTS = new Set(['revision', 'dt_created', 'dt_updated', 'created_by', 'last_updated_by', 'max_score']);

function contentOf(bank: Bank): Bank {
  const content = byKind((kind) =>
    Object.values(bank[kind]).map((record) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => !FACTS.has(name))),
    ),
  );
  for (const { data, ...sent } of activities) {
    const read = content.activities[sent.reference] as JsonObject | undefined;
    if (read) read.data = withoutFilledIn(data, read, sent);
  }
  return content;
}

function byKind(recordsOf: (kind: Kind) => readonly Json[]): Bank {
  return Object.fromEntries(KINDS.map((kind) => [kind, byReference(recordsOf(kind))])) as Bank;
}

/** Separates the records that were sent from their copies. */
function divided(bank: Bank): [originals: Bank, copies: Bank] {
  const isSent = (kind: Kind) => (record: Json) => Object.hasOwn(SENT[kind], record.reference as string);
  return [
    byKind((kind) => Object.values(bank[kind]).filter(isSent(kind))),
    byKind((kind) => Object.values(bank[kind]).filter((record) => !isSent(kind)(record))),
  ];
}

function expectSame(read: unknown, expected: unknown): void {
  expect(differences(expected, read, '').map(spell).slice(0, 20)).toEqual([]);
}

/** Expects copies of what was sent under other names, in the initial state of the workflow. */
function expectCopies(copies: Bank): void {
  const sources = new Map<string, string>();
  for (const { reference, questions, features } of allItems) {
    const copy = copies.items[COPY + reference]!;
    for (const [list, widgets] of Object.entries({ questions, features }))
      for (const [index, { reference: source }] of widgets.entries())
        sources.set((copy[list] as Json[])[index]!.reference as string, source);
  }
  const copied = (kind: Kind) => [...new Set(Object.keys(copies[kind]).map((reference) => sources.get(reference)))];
  expect(copied('questions').sort()).toEqual(Object.keys(SENT.questions).sort());
  // The shared passage is not copied.
  expect(copied('features').sort()).toEqual(['calculator', 'speech']);
  for (const kind of ['questions', 'features', 'items'] as const)
    for (const copy of Object.values(copies[kind])) {
      const text = JSON.stringify(copy).replaceAll(UUID, (reference) => sources.get(reference) ?? reference);
      const source = JSON.parse(text.replace(`"${COPY}`, '"')) as Json;
      expectSame(source, {
        ...SENT[kind][source.reference as string],
        ...(kind === 'items' && { status: 'unpublished' }),
      });
    }
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
