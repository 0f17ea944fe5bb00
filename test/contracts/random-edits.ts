import * as fc from 'fast-check';
import { newDay, newOrganisation, type Ports } from './ports';
import { put, tag, type Wanted } from './writing';

/** A record in the in-memory model. */
interface Model {
  id: string;
  kind: 'item' | 'question' | 'activity';
  reference: string;
  type: string | null;
  status: Wanted['status'];
  tags: string[];
  holds: string[];
  body: string;
  /** References of its revisions, oldest first. */
  revisions: { reference: string; body: string; tags: string[] }[];
}

const WIDGETS = ['w1', 'w2', 'w3'];
const ITEMS = ['a', 'b', 'c', 'd'];
const ACTIVITIES = ['x', 'y'];
const TAGS = ['T:1', 'T:2', 'T:3', 'U:1'];

/** Checks that the rows for searches match the records after any edits. */
export function randomEditsContract(ports: Ports): void {
  /** A random edit of one record: some of its parts change, the others stay or are cleared. */
  const edit = fc.record({
    kind: fc.constantFrom('item' as const, 'item' as const, 'question' as const, 'activity' as const),
    /** Selects a record of the kind. */
    which: fc.nat(),
    to: fc.option(fc.constantFrom('r1', 'r2', 'r3'), { freq: 4, nil: undefined }),
    type: fc.constantFrom('mcq', 'gridded'),
    status: fc.constantFrom('published' as const, 'archived' as const),
    tags: fc.shuffledSubarray(TAGS),
    holds: fc.option(fc.array(fc.nat(), { maxLength: 3 }), { freq: 3, nil: undefined }),
    n: fc.option(fc.nat({ max: 3 }), { freq: 3, nil: undefined }),
    wait: fc.constantFrom(0, 0, 7),
  });
  type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

  const names = { item: ITEMS, question: WIDGETS, activity: ACTIVITIES };

  /** The batch for the store, and the model after it. Contradicting edits are omitted. */
  function planBatch(model: readonly Model[], edits: readonly Edit[]): { wanted: Wanted[]; after: Model[] } {
    const wanted: Wanted[] = [];
    const after = [...model];
    const touched = new Set<string>();
    for (const { kind, which, to, type, status, tags, holds, n } of edits) {
      const existing = model.filter((entry) => entry.kind === kind);
      const candidates = [...new Set([...names[kind], ...existing.map(({ reference }) => reference)])];
      const reference = candidates[which % candidates.length]!;
      const before = existing.find((entry) => entry.reference === reference);
      const renamed = before && to !== undefined && !existing.some((entry) => entry.reference === to);
      const now = renamed ? to : reference;
      if (touched.has(`${kind} ${reference}`) || touched.has(`${kind} ${now}`)) continue;
      touched.add(`${kind} ${reference}`).add(`${kind} ${now}`);
      // Records can hold only records that exist before the batch.
      const holdable =
        kind === 'question' ? [] : model.filter((entry) => entry.kind === (kind === 'item' ? 'question' : 'item'));
      const held =
        holds && holdable.length > 0 ? [...new Set(holds.map((at) => holdable[at % holdable.length]!.id))] : [];
      const keepHeld = before !== undefined && holds === undefined;
      const keepDocument = before !== undefined && n === undefined;
      const body = keepDocument ? before.body : JSON.stringify({ n: n ?? null });
      const carried = kind === 'question' ? [] : tags;
      wanted.push({
        kind,
        reference,
        to: renamed ? to : undefined,
        type,
        status,
        tags: carried.map(tag),
        holds: held.map((id) => model.find((entry) => entry.id === id)!.reference),
        keepHeld,
        keepDocument,
        body: { n: n ?? null },
      });
      after[before ? model.indexOf(before) : after.length] = {
        id: before?.id ?? '',
        kind,
        reference: now,
        type,
        status,
        tags: carried,
        holds: keepHeld ? before.holds : held,
        body,
        revisions: [...(before?.revisions ?? []), { reference: now, body, tags: carried }],
      };
    }
    return { wanted, after };
  }

  async function check(organisation: number, model: readonly Model[]): Promise<void> {
    const newestFirst = [...model].sort((a, b) => (a.id < b.id ? 1 : -1));
    const kinds = ['item', 'question', 'activity'] as const;
    for (const kind of kinds) {
      const { entries } = await ports.shelves.find(
        { organisation },
        { kind, sort: { field: 'created', ascending: false }, limit: 100 },
      );
      expect(
        entries.map(({ id, reference, type, status, tags, body }) => ({ id, reference, type, status, tags, body })),
      ).toEqual(
        newestFirst
          .filter((entry) => entry.kind === kind)
          .map(({ id, reference, type, status, tags, body }) => ({
            id,
            reference,
            type,
            status,
            tags: tags.map(tag),
            body,
          })),
      );
    }
    // The expected rows of tags and links, from all records.
    const tagIds = await ports.tags.lookUp(organisation, TAGS.map(tag));
    const idOf = (text: string) => tagIds.get(text.toLowerCase().replace(':', '\n'))!;
    const tagRows = await ports.database.rows<{ kind: string; tag_id: string; record_id: string }>(
      'SELECT kind, tag_id, record_id FROM bank_tag WHERE organisation_id = ?',
      [organisation],
    );
    expect(tagRows.map(({ kind, tag_id, record_id }) => `${kind} ${tag_id} ${record_id}`).sort()).toEqual(
      model.flatMap(({ kind, id, tags }) => tags.map((text) => `${kind} ${idOf(text)} ${id}`)).sort(),
    );
    const linkRows = await ports.database.rows<{ holder_id: string; held_id: string; position: number }>(
      `SELECT r.id AS holder_id, l.held_id, l.position FROM bank_record r
       JOIN holding l ON l.organisation_id = r.organisation_id AND l.id = r.holding_id WHERE r.organisation_id = ?`,
      [organisation],
    );
    expect(linkRows.map(({ holder_id, held_id, position }) => `${holder_id} ${position} ${held_id}`).sort()).toEqual(
      model.flatMap(({ id, holds }) => holds.map((held, position) => `${id} ${position} ${held}`)).sort(),
    );
    for (const { kind, reference, revisions } of model) {
      const family = kind === 'question' ? 'widget' : kind;
      const stored = (await ports.history.revisions(organisation, family, reference))!;
      expect(
        stored.map((revision) => ({ reference: revision.reference, body: revision.body, tags: revision.tags })),
      ).toEqual(revisions.map((revision) => ({ ...revision, tags: revision.tags.map(tag) })));
      for (const [index, { beganAt }] of stored.entries()) {
        if (index > 0) expect(beganAt).toBeGreaterThan(stored[index - 1]!.beganAt);
      }
    }
  }

  it('leave searches, links and histories equal to the in-memory model', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.array(edit, { minLength: 1, maxLength: 5 }), fc.boolean()), { maxLength: 12 }),
        async (batches) => {
          const organisation = newOrganisation();
          let now = newDay();
          let model: Model[] = [];
          for (const [edits, fails] of batches) {
            const { wanted, after } = planBatch(model, edits);
            now += edits[0]!.wait;
            if (fails) {
              const unit = ports.database.run(async () => {
                await put(ports, organisation, wanted, { now });
                throw new Error('no');
              });
              await expect(unit).rejects.toThrow('no');
              continue;
            }
            const ids = await put(ports, organisation, wanted, { now });
            const idOf = new Map(
              wanted.map(({ kind, reference, to = reference }, index) => [`${kind} ${to}`, ids[index]!]),
            );
            model = after.map((entry) =>
              entry.id === '' ? { ...entry, id: idOf.get(`${entry.kind} ${entry.reference}`)! } : entry,
            );
          }
          await check(organisation, model);
        },
      ),
      { numRuns: 12 },
    );
  });
}
