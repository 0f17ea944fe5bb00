import { newId } from '#kernel';
import { type MarkingStore, type RoundAnswer } from '../../libs/marking/src/application/ports/marking-store';
import { type MarkingRound, type RoundMark, type Stage, STAGES } from '../../libs/marking/src/domain/marking-round';
import { MINUTE } from '../support/time';
import { newDay, newOrganisation, type Ports } from './ports';

export function markingStoreContract(ports: Ports): void {
  let store: MarkingStore;
  let organisation: number;
  let now: number;
  beforeAll(() => {
    store = ports.marking;
  });
  beforeEach(() => {
    organisation = newOrganisation();
    now = newDay();
  });

  const addRound = async (values: Partial<MarkingRound> = {}): Promise<MarkingRound> => {
    const round: MarkingRound = {
      id: newId(now),
      name: 'Ünits "May"',
      question: 'essay',
      markers: 2,
      isBlind: true,
      allowedDifference: 0.5,
      status: 'open',
      author: 'Ann ',
      job: newId(now),
      changedAt: now,
      ...values,
    };
    await store.add(organisation, round);
    return round;
  };
  /** Adds an answer for each of the sessions `s0`, `s1` …, and returns their ids. */
  const createAnswers = async (round: string, count: number): Promise<string[]> => {
    const answers = Array.from({ length: count }, (_, at) => ({
      id: newId(now),
      sessionId: `s${at}`,
      responseId: 'ä "x"',
    }));
    await store.addAnswers(organisation, round, answers);
    return answers.map(({ id }) => id);
  };
  const fresh = (id: string, sessionId: string): RoundAnswer => ({
    id,
    sessionId,
    responseId: 'ä "x"',
    stage: 'first',
    score: null,
    claim: null,
    job: null,
    marks: [],
  });
  const mark = (marker: string, score: number, comment: string | null = null): RoundMark => ({
    marker,
    score,
    comment,
    markedAt: now,
    responseHash: comment === null ? null : 'a'.repeat(64),
  });
  const saveAnswer = async (round: string, id: string, values: Partial<RoundAnswer>): Promise<RoundAnswer> =>
    ports.database.run(async () => {
      const answer = { ...(await store.lock(organisation, round, id))!, ...values };
      await store.save(organisation, round, answer);
      return answer;
    });
  const claim = (round: string, id: string, marker: string, at = now, stages: readonly Stage[] = STAGES) =>
    ports.database.run(() =>
      store.claim(organisation, round, id, { marker, until: at + 15 * MINUTE, now: at, stages }),
    );
  const waiting = (round: string, marker: string, stage: Stage = 'first', at = now, after?: string, limit = 10) =>
    store.waiting(organisation, round, { stage, marker, now: at, after }, limit);

  it('returns rounds of the organisation, newest first, in pages', async () => {
    const rounds = [
      await addRound(),
      await addRound({ author: null, isBlind: false, status: 'collecting' }),
      await addRound(),
    ];
    const newest = [...rounds].reverse();
    expect(await store.rounds(organisation, { limit: 10 })).toEqual({ entries: newest, after: undefined });
    const first = await store.rounds(organisation, { limit: 2 });
    expect(first.entries).toEqual(newest.slice(0, 2));
    expect((await store.rounds(organisation, { limit: 2, after: first.after })).entries).toEqual(newest.slice(2));
    const references = [rounds[0]!.id, newId(now), 'é'];
    expect((await store.rounds(organisation, { references, limit: 10 })).entries).toEqual([rounds[0]]);
    expect((await store.rounds(organisation, { references: [], limit: 10 })).entries).toEqual([]);
    expect((await store.rounds(newOrganisation(), { limit: 10 })).entries).toEqual([]);
  });

  it('changes the status only if the present one is among those given', async () => {
    const round = await addRound({ status: 'collecting' });
    const later = now + MINUTE;
    expect(await store.move(organisation, round.id, ['open', 'closed'], 'closed', later)).toBe(false);
    expect(await store.move(newOrganisation(), round.id, ['collecting'], 'open', later)).toBe(false);
    expect(await store.move(organisation, 'é', ['collecting'], 'open', later)).toBe(false);
    expect(await store.shared(organisation, round.id)).toEqual(round);
    expect(await store.move(organisation, round.id, ['collecting'], 'open', later)).toBe(true);
    expect(await store.shared(organisation, round.id)).toEqual({ ...round, status: 'open', changedAt: later });
    expect(await store.shared(organisation, newId(now))).toBeUndefined();
    expect(await store.shared(organisation, 'é')).toBeUndefined();
  });

  it('adds each answer once, and leaves known ones as they are', async () => {
    const { id: round } = await addRound();
    const [first] = await createAnswers(round, 1);
    const marked = await saveAnswer(round, first!, { stage: 'second', marks: [mark('ann', 1)] });
    const [, second] = await createAnswers(round, 2);
    await store.addAnswers(organisation, round, []);
    const { entries } = await store.answers(organisation, round, { limit: 10 });
    expect(entries).toEqual([marked, fresh(second!, 's1')]);
    expect(await store.answer(organisation, round, second!)).toEqual(fresh(second!, 's1'));
    expect(await store.answer(newOrganisation(), round, second!)).toBeUndefined();
    expect(await store.answer(organisation, round, 'é')).toBeUndefined();
  });

  it('stores marks in their order, and removes those that were withdrawn', async () => {
    const { id: round } = await addRound();
    const [id] = await createAnswers(round, 1);
    const marks = [mark('ann', 1.5, 'Ä "remark"'), mark('ben', 3), mark('cal', 0)];
    const values = { stage: 'settled' as const, score: 0, job: newId(now), claim: { marker: 'cal', until: now } };
    const settled = await saveAnswer(round, id!, { ...values, marks });
    expect(await store.answer(organisation, round, id!)).toEqual(settled);
    const changed = [marks[0]!, mark('ben', 2, 'Less')];
    const back = await saveAnswer(round, id!, { stage: 'third', score: null, claim: null, marks: changed });
    expect(await store.answer(organisation, round, id!)).toEqual(back);
    await saveAnswer(round, id!, { stage: 'first', marks: [] });
    expect((await store.answer(organisation, round, id!))!.marks).toEqual([]);
  });

  it('lists answers by stage, in pages, and counts them', async () => {
    const { id: round } = await addRound();
    const { id: other } = await addRound({ question: 'other' });
    const ids = await createAnswers(round, 4);
    await saveAnswer(round, ids[1]!, { stage: 'second', marks: [mark('ann', 1)] });
    await saveAnswer(round, ids[3]!, { stage: 'settled', score: 2, marks: [mark('ann', 2), mark('ben', 2)] });
    const idsOf = async (query: { stages?: Stage[]; limit: number; after?: [string] }) =>
      (await store.answers(organisation, round, query)).entries.map(({ id }) => id);
    expect(await idsOf({ limit: 10, stages: ['second', 'settled'] })).toEqual([ids[1], ids[3]]);
    expect(await idsOf({ limit: 10, stages: [] })).toEqual([]);
    const page = await store.answers(organisation, round, { limit: 3 });
    expect(page.after).toEqual([ids[2]]);
    expect(await idsOf({ limit: 3, after: [ids[2]!] })).toEqual([ids[3]]);
    expect(await store.progress(organisation, [round, other])).toEqual(
      new Map([
        [round, { first: 2, second: 1, third: 0, settled: 1 }],
        [other, { first: 0, second: 0, third: 0, settled: 0 }],
      ]),
    );
    expect(await store.progress(organisation, [])).toEqual(new Map());
    expect(await store.markedBy(organisation, round, 'ann')).toBe(2);
    expect(await store.markedBy(organisation, round, 'ben')).toBe(1);
    expect(await store.markedBy(organisation, other, 'ann')).toBe(0);
    expect(await store.byQuestion(organisation)).toEqual(new Map([['essay', { answers: 4, settled: 1 }]]));
  });

  it('counts an answer to a question once, whatever number of rounds has it', async () => {
    const [{ id: one }, { id: other }] = [await addRound(), await addRound()];
    const ids = await createAnswers(one, 3);
    await createAnswers(other, 2);
    await saveAnswer(one, ids[1]!, { stage: 'settled', score: 2, marks: [mark('ann', 2), mark('ben', 2)] });
    await createAnswers((await addRound({ question: 'letter' })).id, 1);
    expect(await store.byQuestion(organisation)).toEqual(
      new Map([
        ['essay', { answers: 3, settled: 1 }],
        ['letter', { answers: 1, settled: 0 }],
      ]),
    );
  });

  it('offers answers that nobody has and that the person has not marked, from any position', async () => {
    const { id: round } = await addRound();
    const ids = await createAnswers(round, 4);
    expect(await waiting(round, 'ann')).toEqual(ids);
    expect(await waiting(round, 'ann', 'first', now, ids[1])).toEqual(ids.slice(2));
    expect(await waiting(round, 'ann', 'first', now, undefined, 2)).toEqual(ids.slice(0, 2));
    expect(await claim(round, ids[0]!, 'ben')).toBe(true);
    expect(await waiting(round, 'ann')).toEqual(ids.slice(1));
    expect(await waiting(round, 'ann', 'first', now + 15 * MINUTE)).toEqual(ids);
    await saveAnswer(round, ids[3]!, { stage: 'second', marks: [mark('ann', 1)] });
    expect(await waiting(round, 'ann', 'second')).toEqual([]);
    expect(await waiting(round, 'ben', 'second')).toEqual([ids[3]]);
  });

  it('reserves an answer for one person until the time is over or the person releases it', async () => {
    const { id: round } = await addRound();
    const [id] = await createAnswers(round, 1);
    expect(await claim(round, id!, 'ann', now, ['second'])).toBe(false);
    expect(await claim(round, id!, 'ann')).toBe(true);
    expect(await claim(round, id!, 'ann')).toBe(true);
    expect(await claim(round, id!, 'ben')).toBe(false);
    expect(await store.claimed(organisation, round, 'ann', now)).toBe(id);
    expect(await store.claimed(organisation, round, 'ben', now)).toBeUndefined();
    expect(await store.claimed(organisation, round, 'ann', now + 15 * MINUTE)).toBeUndefined();
    expect(await claim(round, id!, 'ben', now + 15 * MINUTE)).toBe(true);
    await store.release(organisation, round, 'ann');
    expect(await store.claimed(organisation, round, 'ben', now)).toBe(id);
    await store.release(organisation, round, 'ben');
    expect(await claim(round, id!, 'ann')).toBe(true);
    expect(await claim(round, newId(now), 'ann')).toBe(false);
  });

  it('gives an answer to one of several people who claim it at once', async () => {
    const { id: round } = await addRound();
    const [id] = await createAnswers(round, 1);
    const markers = ['ann', 'ben', 'cal', 'dan'];
    const claims = await Promise.all(markers.map((marker) => claim(round, id!, marker)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect((await store.answer(organisation, round, id!))!.claim!.marker).toBe(markers[claims.indexOf(true)]);
  });

  it('exports the marks of sessions, and removes their answers with the marks', async () => {
    const { id: round } = await addRound();
    const { id: other } = await addRound();
    const ids = await createAnswers(round, 3);
    const [elsewhere] = await createAnswers(other, 1);
    await saveAnswer(round, ids[0]!, { stage: 'third', marks: [mark('ann', 1, 'Why'), mark('ben', 4)] });
    await saveAnswer(other, elsewhere!, { stage: 'second', marks: [mark('ann', 2)] });
    await saveAnswer(round, ids[2]!, { stage: 'second', marks: [mark('ann', 3)] });
    const inRound = { sessionId: 's0', responseId: 'ä "x"', round };
    expect(await store.ofSessions(organisation, ['s0', 's1', 'unknown'])).toEqual([
      { ...inRound, ...mark('ann', 1, 'Why') },
      { ...inRound, ...mark('ben', 4) },
      { ...inRound, round: other, ...mark('ann', 2) },
    ]);
    expect(await store.ofSessions(organisation, [])).toEqual([]);
    expect(await store.forget(newOrganisation(), ['s0'])).toBe(0);
    expect(await store.forget(organisation, ['s0', 's1', 'unknown'])).toBe(3);
    expect(await store.forget(organisation, ['s0', 's1'])).toBe(0);
    expect(await store.ofSessions(organisation, ['s0', 's1'])).toEqual([]);
    const { entries } = await store.answers(organisation, round, { limit: 10 });
    expect(entries.map(({ sessionId, marks }) => [sessionId, marks.length])).toEqual([['s2', 1]]);
    expect((await store.answers(organisation, other, { limit: 10 })).entries).toEqual([]);
  });
}
