import { type Clock, Fault, type Scope, type UnitOfWork } from '#kernel';
import { type Entry, NOT_SCORED, type Tag } from '../formats/entry';
import { type Note, note, type NoteCode } from '../formats/note';
import { type BankWriter, type Outcome } from './bank-writer';
import { type ImportOptions, type PlannedEntry, type Result, type Written } from './import-results';
import { planLine } from './plan-lines';
import { PlannedRecords, type Ready } from './planned-records';
import { checkRecord } from './record-check';
import { renamed, withItems } from './records';

/** An entry of a batch. */
interface Place {
  entry: Entry;
  /** How many entries of the import are done after it. */
  done: number;
  /** Whether it may be stored with this result. */
  fits(written: Written): boolean;
}

/** References of the source whose records the bank does not get, and those that are changed in the bank. */
interface Named {
  missing: Set<string>;
  /** The reference in the bank by that of the source. */
  otherReferences: Map<string, string>;
}

type ReadyPlace = Place & { entry: Ready };

const isReady = (place: Place): place is ReadyPlace => place.entry.record !== null;

/** Thrown to roll back a unit of work on purpose. */
class RolledBack extends Error {}

const MAX_SUFFIX = 1000;
/** How many entries are tried together after a larger batch was refused. */
const PART_SIZE = 50;
/** The maximum number of places of removed markup that a set reports, over all of its entries. */
const MAX_PLACES = 50;

const RESULT_OF = { created: 'created', replaced: 'replaced', unchanged: 'skipped' } as const;

/** One import from its first batch to its last. */
export class ImportRun {
  /** Records that later entries may refer to. */
  private readonly items: Named;
  private readonly activities: Named = { missing: new Set(), otherReferences: new Map() };
  private readonly planned = new PlannedRecords();

  constructor(
    private readonly writer: BankWriter,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly options: ImportOptions,
    private readonly scope: Omit<Scope, 'now'>,
  ) {
    this.items = { missing: new Set(options.missing), otherReferences: new Map() };
  }

  /**
   * Writes the entries in one unit of work. If the bank refuses an entry or already has it, writes the entries again in
   * smaller parts, and those of a refused part one by one.
   * @param first number of the first entry.
   * @param planned the planned result of each entry.
   */
  async write(
    batch: readonly Entry[],
    first: number,
    planned?: readonly (PlannedEntry | undefined)[],
  ): Promise<Written[]> {
    const places: Place[] = [];
    for (const [index, entry] of batch.entries()) {
      const fits = (written: Written) => !planned || planLine(written) === planned[index]?.line;
      const valid = checked(entry);
      const isKept = valid.record?.kind === 'pool' && (await this.isUnchanged(valid));
      places.push({ entry: isKept ? valid : this.prepared(valid), done: first + index + 1, fits });
    }
    const all = await this.writeTogether(places);
    const written: Written[] = [];
    for (let from = 0; from < places.length; from += PART_SIZE) {
      const part = places.slice(from, from + PART_SIZE);
      const together = all ?? (part.length < places.length ? await this.writeTogether(part) : undefined);
      for (const place of part) {
        const { entry } = place;
        const one = isReady(place)
          ? (together?.get(place) ?? (await this.writeAlone(place)))
          : result(entry, 'refused');
        const isPlanned = place.fits(one);
        if (!isPlanned) this.options.plan?.differs(entry, planned?.[written.length]);
        const changed = note('entry-refused', entry.source, 'its result would differ from the plan');
        written.push(isPlanned ? one : result(entry, 'refused', [changed]));
        // So later entries of this batch also find what this one would store.
        if (!this.options.apply && one.record && (one.result === 'created' || one.result === 'replaced'))
          this.planned.add({ ...entry, reference: one.reference, record: one.record });
        this.remember(batch[written.length - 1]!, written.at(-1)!);
      }
    }
    return written;
  }

  /** Remembers an entry that the import has already written. */
  pass(entry: Entry, planned: PlannedEntry | undefined): void {
    if (planned) this.remember(entry, planned);
  }

  /** Whether the bank already has an equal record. Such a pool keeps even items that were refused because they exist. */
  private async isUnchanged(entry: Entry): Promise<boolean> {
    if (entry.record === null) return false;
    try {
      const [outcome] = await this.tried([entry as Ready], () => false, 0);
      return outcome?.effect === 'unchanged';
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return false;
    }
  }

  private async writeTogether(all: readonly Place[]): Promise<Map<ReadyPlace, Written> | undefined> {
    const places = all.filter(isReady);
    if (places.length < 2) return undefined;
    const { done } = all.at(-1)!;
    try {
      const results = (outcomes: readonly Outcome[]) =>
        places.map(({ entry }, index) => finished(entry, outcomes[index]!));
      const fits = (outcomes: readonly Outcome[]) =>
        !this.collides(outcomes) &&
        outcomes.flatMap(({ removed }) => removed).length < MAX_PLACES &&
        results(outcomes).every((written, index) => places[index]!.fits(written));
      const entries = places.map(({ entry }) => entry);
      const outcomes = await this.tried(entries, fits, done);
      if (!fits(outcomes)) return undefined;
      const all = results(outcomes);
      return new Map(places.map((place, index) => [place, all[index]!]));
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  }

  private async writeAlone({ entry, done, fits }: ReadyPlace): Promise<Written> {
    try {
      const acceptable = ([outcome]: readonly Outcome[]) =>
        !this.collides([outcome!]) && fits(finished(entry, outcome!));
      const [outcome] = await this.tried([entry], acceptable, done);
      if (!this.collides([outcome!])) return finished(entry, outcome!);
      const { collision = entry.reference, isNew = false } = outcome!;
      if (this.options.onCollision === 'skip' && !isNew) return result(entry, 'skipped');
      if (this.options.onCollision === 'new-reference' && !isSetup(entry.record))
        return await this.writeRenamed({ entry, done, fits });
      return result(entry, 'refused', [note('entry-exists', entry.source, collision)]);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return result(entry, 'refused', [note('entry-refused', entry.source, error.message)]);
    }
  }

  /**
   * Gives the entry the first free reference with a number at its end. If an equal record already has such a reference, the
   * entry counts as stored there.
   */
  private async writeRenamed({ entry, done, fits }: ReadyPlace): Promise<Written> {
    for (let number = 2; number <= MAX_SUFFIX; number++) {
      const other = renamed(entry, `-${number}`) as Ready;
      const changed = note('reference-changed', entry.source, `${entry.reference} became ${other.reference}`);
      const written = (outcome: Outcome) => finished({ ...other, notes: [...other.notes, changed] }, outcome);
      const acceptable = ([outcome]: readonly Outcome[]) => !this.collides([outcome!]) && fits(written(outcome!));
      const [outcome] = await this.tried([other], acceptable, done);
      if (!this.collides([outcome!])) return written(outcome!);
    }
    return result(entry, 'refused', [note('entry-exists', entry.source, entry.reference)]);
  }

  /** Sets the entries, and commits when the outcome is acceptable and the import is to be applied. */
  private async tried(
    entries: readonly Ready[],
    isAcceptable: (outcomes: readonly Outcome[]) => boolean,
    done: number,
  ): Promise<Outcome[]> {
    let outcomes: Outcome[] = [];
    const work = async (): Promise<number> => {
      outcomes = await this.writer.set(entries, this.planned, { ...this.scope, now: this.clock.now() });
      if (!this.options.apply || !isAcceptable(outcomes)) throw new RolledBack();
      return done;
    };
    try {
      await (this.options.plan?.run(work) ?? this.options.run?.(work) ?? this.work.run(work));
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error;
    }
    return outcomes;
  }

  private collides(outcomes: readonly Outcome[]): boolean {
    return this.options.onCollision !== 'replace' && outcomes.some(({ collision }) => collision !== undefined);
  }

  /**
   * Tags an item that nothing scores. Changes references to items and activities to those that they have in the bank, and
   * leaves out missing ones.
   */
  private prepared(entry: Entry): Entry {
    const { record } = entry;
    if (
      record?.kind === 'item' &&
      entry.notes.some(({ code }) => NO_SCORE.has(code)) &&
      !record.tags?.some(isNotScored)
    )
      return { ...entry, record: { ...record, tags: [...(record.tags ?? []), NOT_SCORED] } };
    if (record?.kind !== 'activity' && record?.kind !== 'pool') return entry;
    const notes = [...entry.notes];
    const isMissing = (reference: string, { missing }: Named): boolean => {
      if (missing.has(reference)) notes.push(note('item-missing', entry.source, reference));
      return missing.has(reference);
    };
    if (record.kind === 'activity') {
      const { organisation } = this.scope.shelf;
      const isMissingItem = (reference: string) => isMissing(reference, this.items);
      return {
        ...entry,
        record: withItems(record, organisation, isMissingItem, this.items.otherReferences),
        notes,
      };
    }
    const listed = (references: string[], named: Named) =>
      references.flatMap((reference) =>
        isMissing(reference, named) ? [] : (named.otherReferences.get(reference) ?? reference),
      );
    const [items, activities] = [listed(record.items, this.items), listed(record.activities, this.activities)];
    return { ...entry, record: { ...record, items, activities }, notes };
  }

  /** Whether later entries may refer to the record that the bank already has, although this entry was refused. */
  private isInBank({ reference, notes }: Pick<PlannedEntry, 'reference' | 'notes'>): boolean {
    return (
      this.options.isSameBank === true && notes.some(({ code, was }) => code === 'entry-exists' && was === reference)
    );
  }

  private remember(
    { reference, record, kind: refused }: Entry,
    written: Pick<PlannedEntry, 'reference' | 'result' | 'notes'>,
  ): void {
    // The kind of an unreadable record is unknown. If it has a reference, it counts as an item.
    if (record === null && reference === '') return;
    const kind = record?.kind ?? refused ?? 'item';
    if (kind !== 'item' && kind !== 'activity') return;
    const { missing, otherReferences } = kind === 'item' ? this.items : this.activities;
    if (written.result === 'refused' && !this.isInBank(written)) missing.add(reference);
    if (written.reference !== reference) otherReferences.set(reference, written.reference);
  }
}

/** Notes which say that nothing scores the question. Other notes only say that some responses get other points. */
const NO_SCORE: ReadonlySet<NoteCode> = new Set(['scoring-lost', 'scoring-missing', 'interaction-lost']);
const isNotScored = ({ type, name }: Tag): boolean => type === NOT_SCORED.type && name === NOT_SCORED.name;

const SETUP: readonly string[] = ['tag', 'hierarchy', 'workflow', 'pool'];
/** Whether the record must keep its reference, because no record under another name can replace it. */
const isSetup = (record: Ready['record']): boolean => SETUP.includes(record.kind);

/** Whether the bank refuses the content. Any other fault means that a server does not answer, and ends the import. */
const isRefusal = (error: unknown): error is Fault => error instanceof Fault && error.kind !== 'unavailable';

/** The entry; without its record if the API would reject that record. */
function checked(entry: Entry): Entry {
  try {
    if (entry.record !== null) checkRecord(entry.reference, entry.record);
    return entry;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { kind } = entry.record!;
    return {
      ...entry,
      record: null,
      kind,
      notes: [...entry.notes, note('entry-refused', entry.source, error.message)],
    };
  }
}

function finished(entry: Ready, { effect, removed }: Outcome): Written {
  return result(
    entry,
    RESULT_OF[effect],
    removed.map((at) => note('markup-dropped', entry.source, at.replace(/^\/\w+\/\d+/, ''))),
  );
}

function result(entry: Entry, outcome: Result, more: readonly Note[] = []): Written {
  const { source, reference, record, kind = record?.kind, notes } = entry;
  return { source, reference, result: outcome, notes: [...notes, ...more], record, kind };
}
