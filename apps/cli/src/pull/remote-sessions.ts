import { isObject, type Json, type JsonObject } from '#kernel';
import { type RemoteCalls, RemoteError, isNotOffered, VALUE } from './remote-calls';
import { RemoteBankId } from './remote-records';
import { type ConvertedSession, takenSession } from './remote-session';

/** A session of the other server, and its place there. */
export interface RemoteSession extends ConvertedSession {
  source: string;
}

interface SessionsPage {
  sessions: RemoteSession[];
  /** Token of the next page; undefined at the end. */
  next: string | undefined;
}

interface Changed {
  since: number | undefined;
  until: number;
}

const RESPONSES = 'sessions/responses';
const SCORES = 'sessions/scores';
const REPORTS = 'sessions/reports/adaptive';
/** The largest page that servers return. */
const PAGE_SIZE = 50;
/** Whether the other server refused the request itself, for example because it does not know a member. */
const isMalformed = (code: number): boolean => code >= 20000 && code < 30000;

/** The sessions of a bank behind the API of another server. */
export class RemoteSessions {
  private readonly id: RemoteBankId;
  /** Whether requests ask for what only an Itembank returns: questions as they were asked, and reasons of scores. */
  private asksMore = true;
  private readonly absent = new Set<string>();

  /** @param metadata names of metadata to read, beside the usual ones. */
  constructor(
    private readonly calls: RemoteCalls,
    private readonly organisation: number | undefined,
    private readonly metadata: readonly string[],
  ) {
    this.id = new RemoteBankId(organisation);
  }

  /**
   * @param next token of the page to begin with; absent: the first one.
   * @param changed the period in which the sessions last changed, in Unix seconds. Without an end, a busy server would never
   *   return a last page, because changed sessions come again.
   */
  async *pages(next: string | undefined, changed: Changed): AsyncGenerator<SessionsPage> {
    for (let token = next, isFirst = true; ; isFirst = false) {
      const page = await this.page(token, changed, isFirst);
      yield page;
      if (page.next === undefined) return;
      token = page.next;
    }
  }

  private async page(token: string | undefined, changed: Changed, mayBeOld: boolean): Promise<SessionsPage> {
    const request = {
      ...this.bank(),
      ...(changed.since !== undefined && { mintime: changed.since }),
      maxtime: changed.until,
      ...(token !== undefined && { next: token }),
      limit: PAGE_SIZE,
      sort: 'asc',
      include: {
        sessions: { session_metadata: ['session_tags', ...this.metadata] },
        ...(this.asksMore && { questions: true }),
      },
    };
    let answer: { data: Json; next: string | undefined };
    try {
      answer = await this.calls.get(RESPONSES, request);
    } catch (error) {
      if (!(error instanceof RemoteError) || error.code === undefined) throw error;
      // The token has expired. So this reads all pages again; sessions that are stored already are skipped.
      if (error.code === VALUE && token !== undefined && mayBeOld) return this.page(undefined, changed, false);
      if (!this.asksMore || !isMalformed(error.code)) throw error;
      this.asksMore = false;
      return this.page(token, changed, mayBeOld);
    }
    const sessions = this.recordsIn(RESPONSES, answer.data);
    if (sessions.length > 0 && answer.next === token && token !== undefined)
      throw new RemoteError(`${RESPONSES} of ${this.calls.url} gives the same page again and again.`);
    const ids = sessions.flatMap(({ session_id: id }) => (typeof id === 'string' ? [id] : []));
    const scores = await this.bySession(SCORES, ids, {
      include_response_scores: true,
      ...(this.asksMore && { include: { reasons: true } }),
    });
    const reports = await this.bySession(REPORTS, ids, {});
    const converted = sessions.map((session): RemoteSession => {
      const id = typeof session.session_id === 'string' ? session.session_id : '';
      const source = `${this.calls.url}#/sessions/${id}`;
      return { source, ...takenSession({ session, scores: scores.get(id), report: reports.get(id) }, source, this.id) };
    });
    return { sessions: converted, next: sessions.length === 0 ? undefined : answer.next };
  }

  /** The records of these sessions, by session_id. A server may return fewer of them at a time. */
  private async bySession(path: string, ids: readonly string[], more: JsonObject): Promise<Map<string, JsonObject>> {
    const found = new Map<string, JsonObject>();
    if (ids.length === 0 || this.absent.has(path)) return found;
    const request = { ...this.bank(), ...more, session_id: [...ids], limit: PAGE_SIZE, sort: 'asc' };
    try {
      for (let next: string | undefined, isLast = false; !isLast && found.size < ids.length;) {
        const answer = await this.calls.get(path, { ...request, ...(next !== undefined && { next }) });
        const records = this.recordsIn(path, answer.data);
        for (const record of records) if (typeof record.session_id === 'string') found.set(record.session_id, record);
        isLast = records.length === 0 || answer.next === undefined || answer.next === next;
        next = answer.next;
      }
    } catch (error) {
      if (!(error instanceof RemoteError) || !isNotOffered(error.code)) throw error;
      this.absent.add(path);
    }
    return found;
  }

  private recordsIn(path: string, data: Json): JsonObject[] {
    const records = (Array.isArray(data) ? data : Object.values(data ?? {})) as Json[];
    if (records.every(isObject)) return records;
    throw new RemoteError(`${path} of ${this.calls.url} answers with something other than records.`);
  }

  private bank(): JsonObject {
    return this.organisation === undefined ? {} : { organisation_id: this.organisation };
  }
}
