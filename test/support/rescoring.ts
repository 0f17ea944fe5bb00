import { ManualScores, type ScoreChange, type Session, SessionStore } from '#sessions';
import { write } from './bank';
import { type Client } from './client';
import { type TestService } from './service';
import { choice, essay, itemOf } from './session-bank';
import { answer, resultsOf, resultsOfStarted, sessionOf, sessionsOf, submission, submit } from './submissions';
import { SECOND } from './time';
import { parseLines } from './ndjson';

/** The results of rescoring jobs. */
export interface RescoringResults {
  plan: string;
  sessions: { session_id: string; outcome: string; reason?: string; old_score?: number; new_score?: number }[];
  files: { name: string; address: string }[];
  applied: number;
  skipped: number;
  sessions_changed: number;
  responses_changed: number;
  mean_shift: number;
  [member: string]: unknown;
}

/** Starts a rescoring and returns the results of its job. */
export async function rescore(service: TestService, request: object, client: Client = service.client) {
  const started = await client.update('sessions/item', request);
  const results = (await resultsOfStarted(service, started)) as RescoringResults;
  return { job: started.data.job_reference as string, results };
}

/** The lines of a results file. */
export async function linesOf<Line = Record<string, unknown>>({ files }: RescoringResults): Promise<Line[]> {
  const answer = await fetch(files[0]!.address);
  if (answer.status !== 200) throw new Error(`The file answers ${answer.status}.`);
  return parseLines<Line>(await answer.text());
}

/** A session without the time of its last write. */
export const stateOfSession = ({ updatedAt: _, ...state }: Session) => state;

/** Items and sessions for rescoring tests. */
export class Rescored {
  private made = 0;

  constructor(private readonly service: TestService) {}

  /**
   * An item with a question of two points with the key 1 and an essay, another item with another question, and sessions
   * of both.
   */
  async given(choices: readonly string[]) {
    const { service } = this;
    const { client } = service;
    const name = `r${++this.made}`;
    const [first, second, third] = [`${name}-a`, `${name}-b`, `${name}-c`];
    await write(client, {
      questions: [choice(first, '1', 2), essay(second), choice(third, '1', 3)],
      items: [itemOf(name, first, second), itemOf(`${name}-other`, third)],
    });
    const items = [name, `${name}-other`].map((reference) => ({ reference, organisation: 1, time: 1, flagged: false }));
    const subscores = [
      { id: 'of the item', title: 'x', items: [name] },
      { id: 'of the other', title: 'x', items: [`${name}-other`] },
    ];
    const ids = choices.map((_, index) => `${name}-${index}`);
    await submit(
      service,
      choices.map((value, index) =>
        submission(ids[index]!, {
          items,
          subscores,
          responses: [
            ...(value === '' ? [] : [answer(name, first, [value])]),
            answer(name, second, 'Words'),
            answer(`${name}-other`, third, ['1']),
          ],
        }),
      ),
    );
    service.clock.advance(SECOND);
    const rekey = async (right: string, score = 2) => {
      await write(client, { questions: [choice(first, right, score)] });
      service.clock.advance(SECOND);
    };
    return { name, first, second, ids, rekey, request: { session_ids: ids, target_item: { reference: name } } };
  }

  /** Scores a response as a person. */
  async score(sessionId: string, question: string, points: number, max = points): Promise<void> {
    const { service } = this;
    const session = await sessionOf(service, sessionId);
    const { responseId } = session.responses.find(({ questionReference }) => questionReference === question)!;
    const responses = [{ responseId, attempted: true, score: points, maxScore: max }];
    const job = await service.get(ManualScores).start([{ sessionId, userId: 'learner', responses }], service.scope());
    await resultsOf(service, job);
    service.clock.advance(SECOND);
  }

  async scores(ids: readonly string[]): Promise<number[]> {
    return (await sessionsOf(this.service, ids)).map(({ totals }) => totals.score);
  }

  async changesOf(id: string): Promise<ScoreChange[]> {
    const session = await sessionOf(this.service, id);
    return (await this.service.get(SessionStore).changesOf(1, [session.id])).get(session.id) ?? [];
  }
}
