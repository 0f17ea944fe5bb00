import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type ImportAssets, type ImportedEntry, type ImportRecord, type Note, note, type Placed } from '#interchange';
import { type JsonObject, type Scope } from '#kernel';
import {
  type TakenOutcome,
  type TakenResponse,
  type TakenSession,
  type TakenSessions,
  type TakingOptions,
} from '#sessions';
import { type RemoteFiles } from './remote-files';
import { type RemoteSession } from './remote-sessions';

type Asked = NonNullable<TakenResponse['asked']>;

const RESULT_OF = {
  created: 'created',
  replaced: 'replaced',
  unchanged: 'skipped',
  exists: 'refused',
  erased: 'refused',
  refused: 'refused',
} as const satisfies Record<TakenOutcome['effect'], ImportedEntry['result']>;

const MAX_CACHED = 2_000;

/** Stores sessions of the other server page by page. */
export class SessionKeeping {
  /** Questions by hash, with the addresses of their files on this service. */
  private readonly questions = new LRUCache<string, Asked['definition']>({ max: MAX_CACHED });
  private readonly placed: Placed = new Map();
  private readonly hash = createHash('sha256');

  constructor(
    private readonly taken: TakenSessions,
    private readonly assets: ImportAssets,
    private readonly files: RemoteFiles,
    private readonly options: TakingOptions,
    private readonly scope: Omit<Scope, 'now'>,
  ) {}

  /** Stores the sessions in one unit of work. */
  async keep(sessions: readonly RemoteSession[]): Promise<ImportedEntry[]> {
    const ready: TakenSession[] = [];
    const noted = new Map<RemoteSession, Note[]>();
    for (const one of sessions) {
      const notes = [...one.notes];
      noted.set(one, notes);
      if (one.session) ready.push(await this.withFiles(one.session, one, notes));
    }
    const outcomes = ready.length > 0 ? await this.taken.store(ready, this.options, this.scope) : [];
    const bySession = new Map(ready.map(({ sessionId }, index) => [sessionId, outcomes[index]!]));
    return sessions.map((one): ImportedEntry => {
      const { source, reference, session } = one;
      const outcome = session && bySession.get(session.sessionId);
      const result = outcome ? RESULT_OF[outcome.effect] : 'refused';
      const more = outcome ? notesOf(outcome, session, source) : [];
      // For a session that is not stored, notes about losses do not matter.
      const own = result === 'refused' && outcome ? [] : noted.get(one)!;
      const entry = { source, reference, result, notes: [...own, ...more] };
      this.hash.update(JSON.stringify(entry));
      return entry;
    });
  }

  /** A hash of the results so far. */
  get plan(): string {
    return this.hash.copy().digest('hex');
  }

  /** Replaces the addresses of files in the questions. Answers contain no addresses of the bank's files. */
  private async withFiles(session: TakenSession, { source }: RemoteSession, notes: Note[]): Promise<TakenSession> {
    const items: TakenSession['items'] = [];
    for (const item of session.items) {
      const responses: TakenResponse[] = [];
      for (const response of item.responses) {
        const { asked } = response;
        responses.push(asked ? { ...response, asked: await this.question(asked, source, notes) } : response);
      }
      items.push({ ...item, responses });
    }
    return { ...session, items };
  }

  private async question({ hash, definition }: Asked, source: string, notes: Note[]): Promise<Asked> {
    let known = this.questions.get(hash);
    if (!known) {
      const { value, assets } = this.files.withTokens<JsonObject>(definition);
      const entry = { source, reference: hash, record: value as unknown as ImportRecord, notes: [], assets };
      const placed = await this.assets.place(entry, this.files, this.placed, this.options.apply, {
        ...this.scope,
        now: Date.now(),
      });
      notes.push(...placed.notes);
      known = placed.record as unknown as Asked['definition'];
      this.questions.set(hash, known);
    }
    return { hash, definition: known };
  }
}

function notesOf(outcome: TakenOutcome, { score, maxScore }: TakenSession, at: string): Note[] {
  const { effect, why = '', missing, assumed, counted } = outcome;
  if (effect === 'refused') return [note('entry-refused', at, why)];
  if (effect === 'exists') return [note('entry-exists', at, 'a session of this id, with other content')];
  if (effect === 'erased') return [note('session-learner-erased', at, 'the session was not pulled')];
  return [
    ...missing.map((reference) => note('session-item-missing', at, reference)),
    ...(assumed.length > 0 ? [note('session-question-assumed', at, assumed.join(', '))] : []),
    ...(counted
      ? [note('session-sum-changed', at, `${score} of ${maxScore} there, ${counted.score} of ${counted.maxScore} here`)]
      : []),
  ];
}
