import { newId } from '#kernel';
import { Rescoring } from '#rescoring';
import { ManualScores, type Session, SessionStore, Submissions } from '#sessions';
import { write } from '../support/bank';
import { several } from '../support/builders';
import { engines } from '../support/engines';
import { linesOf, type RescoringResults, stateOfSession } from '../support/rescoring';
import { serviceOfSuite, startServiceLater } from '../support/service';
import { choice, essay, itemOf } from '../support/session-bank';
import { store } from '../support/sessions';
import { answer, resultsOf, sessionsOf, submission, submit } from '../support/submissions';
import { SECOND } from '../support/time';

/** FAULTS=full uses the number of sessions that the documentation promises. */
const FULL = process.env.FAULTS === 'full';
const ESSAY_POINTS = 3;
const BATCH_SIZE = 500;

interface PlanLine {
  session_id: string;
  response_id: string;
  old_score: number | null;
  new_score: number | null;
  changed: boolean;
}

interface SessionLine {
  session_id: string;
  outcome: string;
  reason?: string;
}

describe.each(engines)('rescoring on %s while others write', (engine) => {
  const count = FULL ? (engine === 'sqlite' ? 2_000 : 10_000) : 300;
  const service = serviceOfSuite(() => startServiceLater(engine));
  const ids = several(count, (index) => `s-${index}`);
  const items = ['item', 'other'].map((reference) => ({ reference, organisation: 1, time: 1, flagged: false }));
  beforeAll(async () => {
    await write(service.client, {
      questions: [choice('a', '1', 2), essay('b'), choice('c', '1', 3)],
      items: [itemOf('item', 'a', 'b'), itemOf('other', 'c')],
    });
    service.clock.advance(SECOND);
    // One session for each answer; the others are copies.
    const subscores = [{ id: 'of the item', title: 'x', items: ['item'] }];
    const responses = (value: string) => [
      answer('item', 'a', [value]),
      answer('item', 'b', 'Words'),
      answer('other', 'c', ['1']),
    ];
    await submit(
      service,
      ['1', '2', '3'].map((value) => submission(`made-${value}`, { items, subscores, responses: responses(value) })),
    );
    const made = await sessionsOf(service, ['made-1', 'made-2', 'made-3']);
    const copies = ids.map((sessionId, index) => ({ ...made[index % 3]!, id: newId(service.clock.now()), sessionId }));
    await store(service.get(SessionStore), 1, copies);
    service.clock.advance(SECOND);
    await write(service.client, { questions: [choice('a', '2', 2)] });
    service.clock.advance(SECOND);
  });

  const scope = () => service.scope();
  const resultOf = async (started: Promise<string>) => {
    const job = await started;
    // The longest job takes longer than the usual timeout.
    for (;;)
      try {
        return { job, results: (await resultsOf(service, job)) as RescoringResults };
      } catch (error) {
        if (!String(error).includes('did not happen')) throw error;
      }
  };
  const readSessions = async (): Promise<Map<string, Session>> => {
    const all = new Map<string, Session>();
    for (let from = 0; from < count; from += BATCH_SIZE)
      for (const session of await sessionsOf(service, ids.slice(from, from + BATCH_SIZE)))
        all.set(session.sessionId, session);
    return all;
  };

  /** While `work` runs, scores essays of some sessions and changes answers of others. Returns these sessions. */
  async function writeDuring<T>(places: readonly number[], work: Promise<T>) {
    const touched = { scored: new Set<string>(), answered: new Set<string>() };
    let over = false;
    const ended = work.finally(() => (over = true));
    const left = [...places];
    while (!over && left.length > 0) {
      service.clock.advance(1);
      const [scored, answered] = [left.splice(0, 3), left.splice(0, 3)].map((some) => some.map((place) => ids[place]!));
      const scores = scored!.map((sessionId) => ({
        sessionId,
        userId: 'learner',
        responses: [{ responseId: 'item-b', attempted: true, score: ESSAY_POINTS, maxScore: 4 }],
      }));
      const saves = answered!.map((id) => submission(id, { items, responses: [answer('other', 'c', ['3'], 2)] }));
      await Promise.all([
        resultOf(service.get(ManualScores).start(scores, scope())),
        resultOf(service.get(Submissions).start({ submissions: saves, ignoreRevisions: false }, scope())),
      ]);
      for (const id of scored!) touched.scored.add(id);
      for (const id of answered!) touched.answered.add(id);
    }
    return { touched, result: await ended };
  }

  /** Expects that the other writes are stored, and that every total is the sum of its parts. */
  function expectOtherWritesKept(session: Session, ...all: { scored: Set<string>; answered: Set<string> }[]): void {
    const { sessionId, responses, totals, subscores } = session;
    const wasScored = all.some(({ scored }) => scored.has(sessionId));
    const wasAnswered = all.some(({ answered }) => answered.has(sessionId));
    expect([sessionId, responses[1]!.score]).toEqual([sessionId, wasScored ? ESSAY_POINTS : null]);
    expect([sessionId, responses[2]!.score]).toEqual([sessionId, wasAnswered ? 0 : 3]);
    const sum = (some: typeof responses) => some.reduce((points, { score }) => points + (score ?? 0), 0);
    expect([sessionId, totals.score]).toEqual([sessionId, sum(responses)]);
    expect([sessionId, subscores![0]!.score]).toEqual([sessionId, sum(responses.slice(0, 2))]);
  }

  it(
    `applies the plan to ${count} sessions exactly, and reverts it`,
    async () => {
      const rescoring = service.get(Rescoring);
      const original = await readSessions();
      // Others write different sessions while the plan is made, applied and reverted.
      const [first, second, third] = [0, 1, 2].map((turn) =>
        several(Math.min(count, 2_000), (index) => (index * 7919) % count).filter((place) => place % 5 === turn),
      );
      const request = { sessions: ids, target: { reference: 'item' }, overwriteManual: false, dryRun: true };
      const planning = await writeDuring(first!, resultOf(rescoring.start(request, scope())));
      const plan = planning.result.results;
      const lines = await linesOf<PlanLine & Record<string, unknown>>(plan);
      expect(lines).toHaveLength(2 * count);
      const planned = new Map<string, PlanLine[]>();
      for (const line of lines) planned.set(line.session_id, [...(planned.get(line.session_id) ?? []), line]);
      for (const session of (await readSessions()).values()) {
        expect(session.formId).toBe(original.get(session.sessionId)!.formId);
        expectOtherWritesKept(session, planning.touched);
      }

      service.clock.advance(SECOND);
      const before = await readSessions();
      const applying = await writeDuring(second!, resultOf(rescoring.apply(plan.plan, scope())));
      const outcomes = await linesOf<SessionLine & Record<string, unknown>>(applying.result.results);
      expect(outcomes.map((line) => line.session_id)).toEqual(ids);
      const after = await readSessions();
      const changes = new Map<string, { at: number; before: number | null; after: number | null }[]>();
      const bySessionId = new Map([...after.values()].map(({ id, sessionId }) => [id, sessionId]));
      for (const [id, list] of await service.get(SessionStore).changesOf(1, [...bySessionId.keys()]))
        for (const change of list)
          if (change.job === applying.result.job) changes.set(bySessionId.get(id)!, change.changes);
      for (const { session_id: id, outcome, reason } of outcomes) {
        const session = after.get(id)!;
        expectOtherWritesKept(session, planning.touched, applying.touched);
        if (outcome === 'skipped') {
          expect([reason, session.formId]).toEqual(['moved', before.get(id)!.formId]);
          expect(changes.has(id)).toBe(false);
          continue;
        }
        expect([id, outcome]).toEqual([id, 'applied']);
        const wanted = planned.get(id)!.map((line, at) => ({ at, before: line.old_score, after: line.new_score }));
        expect([id, changes.get(id)]).toEqual([id, wanted.filter((change) => change.before !== change.after)]);
        expect([id, session.responses[0]!.score]).toEqual([id, planned.get(id)![0]!.new_score]);
      }
      const skipped = outcomes.filter(({ outcome }) => outcome === 'skipped');
      // Only sessions that others wrote to were skipped.
      const all = [planning, applying].flatMap(({ touched }) => [...touched.scored, ...touched.answered]);
      expect(skipped.filter(({ session_id }) => !all.includes(session_id))).toEqual([]);
      expect(applying.result.results).toMatchObject({ applied: count - skipped.length, skipped: skipped.length });

      service.clock.advance(SECOND);
      const untilRevert = await readSessions();
      const reverting = await writeDuring(third!, resultOf(rescoring.revert(plan.plan, scope())));
      const reverted = await linesOf<SessionLine & Record<string, unknown>>(reverting.result.results);
      const last = await readSessions();
      for (const { session_id: id, outcome } of reverted) {
        const session = last.get(id)!;
        expectOtherWritesKept(session, planning.touched, applying.touched, reverting.touched);
        const isTouched = reverting.touched.scored.has(id) || reverting.touched.answered.has(id);
        if (outcome === 'skipped' || outcome === 'kept') {
          if (!isTouched) expect(session).toEqual(untilRevert.get(id));
          continue;
        }
        expect([id, outcome, session.formId]).toEqual([id, 'reverted', original.get(id)!.formId]);
        if (!isTouched) expect(stateOfSession(session)).toEqual(stateOfSession(before.get(id)!));
      }
      const outcomesOf = (list: SessionLine[], outcome: string) =>
        list.filter((line) => line.outcome === outcome).length;
      expect(outcomesOf(reverted, 'reverted') + outcomesOf(reverted, 'kept') + skipped.length).toBe(count);
      process.stderr.write(
        `rescoring on ${engine}: ${count} sessions, ${all.length} written to meanwhile, ${skipped.length} skipped, ` +
          `${outcomesOf(reverted, 'kept')} kept\n`,
      );
    },
    FULL ? 1_800_000 : 600_000,
  );
});
