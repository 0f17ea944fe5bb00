import { Injectable } from '@nestjs/common';
import { untilCommitted } from '#jobs';
import { Clock, Fault, type Position, SETTLED_MS, type Slice } from '#kernel';
import { afterChanges, markAt, placeOf, positionOf, type ChangeFeedCursor } from '../domain/change-feed-cursor';
import { SeenStates } from '../domain/seen-states';
import { type SessionFilter, SessionReader, type SessionRecord, type Wanted } from './ports/session-reader';

/**
 * A position that remembers this many states is full; the last page may exceed it. Paging tokens contain the position,
 * and have 6 KB then. Once it is full, the first pass leaves newer states to the changes, and a reader of changes waits
 * until the remembered states are two seconds old.
 */
const MAX_SEEN_STATES = 500;

/** How long the position of a reader stays the same while there are no new changes. */
const SAME_PLACE_MS = 60_000;

/** How far the clocks of processes may differ. */
const MAX_CLOCK_DELAY_MS = 60_000;

export interface SessionQuery {
  filter: SessionFilter;
  sort: 'asc' | 'desc';
  limit: number;
  /** From the previous slice. */
  after?: Position;
}

/** Reads sessions page by page, then their changes (decision 36). */
@Injectable()
export class Sessions {
  constructor(
    private readonly reader: SessionReader,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns first every session in the order of creation, then the sessions that changed since the first slice, the
   * oldest change first. `after` is present even with an empty slice, and stays valid. Committed changes are visible
   * immediately. Each lasting state is returned exactly once. This includes changes that are committed up to two
   * seconds after their time.
   */
  async find(organisation: number, query: SessionQuery, wanted: Wanted = {}): Promise<Required<Slice<SessionRecord>>> {
    const { after, limit } = query;
    const place = after && placeOf(after);
    // New changes would be before the mark, and the reader would never get them.
    if (place && place.mark.updatedAt > this.clock.now() + MAX_CLOCK_DELAY_MS)
      throw new Fault(
        'value',
        'next comes from a time when the clock of the service was ahead, so its pages would lack changes; begin again without next.',
        '/next',
      );
    if (place?.phase === 'changes') return this.changes(organisation, query, place, limit, wanted);
    const passed = await this.pass(organisation, query, place, wanted);
    const left = limit - passed.entries.length;
    // A first slice that is not full contains every session, so nothing has changed since.
    if (left === 0 || !place) return { entries: passed.entries, after: positionOf(passed.place) };
    const changed = await this.changes(organisation, { filter: query.filter }, passed.place, left, wanted);
    return { entries: [...passed.entries, ...changed.entries], after: changed.after };
  }

  private async pass(
    organisation: number,
    { filter, sort: direction, limit }: SessionQuery,
    place: Extract<ChangeFeedCursor, { phase: 'pass' }> | undefined,
    wanted: Wanted,
  ): Promise<{ entries: SessionRecord[]; place: ChangeFeedCursor }> {
    const began = place?.began ?? this.clock.now();
    const mark = place?.mark ?? markAt(began - SETTLED_MS);
    const seen = place?.seen ?? SeenStates.none();
    const until = place && (seen.size < MAX_SEEN_STATES ? began : mark.updatedAt);
    const sort = { direction, after: place?.id, until };
    const entries = await this.reader.inOrder(organisation, filter, sort, limit, wanted);
    for (const entry of entries) if (entry.updatedAt > mark.updatedAt) seen.add(entry);
    const common = { mark, seen };
    if (entries.length < limit) return { entries, place: { phase: 'changes', ...common } };
    return { entries, place: { phase: 'pass', ...common, began, id: entries.at(-1)!.id } };
  }

  /** @param query.after the previous slice's position, if `place` is that position. */
  private async changes(
    organisation: number,
    { filter, after }: Pick<SessionQuery, 'filter' | 'after'>,
    place: ChangeFeedCursor,
    limit: number,
    wanted: Wanted,
  ): Promise<Required<Slice<SessionRecord>>> {
    const { mark, seen } = place;
    if (seen.size >= MAX_SEEN_STATES) await untilCommitted(this.clock, seen.until, new AbortController().signal);
    const settled = this.clock.now() - SETTLED_MS;
    const states = await this.reader.changedAfter(organisation, filter, mark, limit + seen.size + 1);
    const fresh = states.filter((state) => !seen.has(state));
    const taken = fresh.slice(0, limit);
    if (taken.length === 0 && after && settled - mark.updatedAt < SAME_PLACE_MS) return { entries: [], after };
    const ids = taken.map(({ id }) => id);
    const found = new Map(
      (await this.reader.byIds(organisation, filter, ids, wanted)).map((entry) => [entry.id, entry]),
    );
    // A session that changed again is returned as it is now, unless it no longer matches the filter.
    const entries = ids.flatMap((id) => found.get(id) ?? []);
    const given = [...states.filter((state) => seen.has(state)), ...entries];
    const last = fresh.length > limit ? taken.at(-1) : undefined;
    const next = afterChanges(place, { given, last }, settled);
    // Callers would take an empty slice for the end.
    if (entries.length === 0 && last) return this.changes(organisation, { filter }, next, limit, wanted);
    return { entries, after: positionOf(next) };
  }
}
