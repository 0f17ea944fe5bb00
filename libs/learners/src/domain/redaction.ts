import { randomBytes } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '#kernel';

/** The names of a learner to look for in the texts of jobs. */
export interface Traces {
  user: string;
  sessions: ReadonlySet<string>;
}

const SESSION_MEMBERS = ['sessionId', 'session_id'];
const USER_MEMBERS = ['userId', 'user_id'];
/** Members of an entry that may stay, because their values come from a fixed list. */
const WORD_MEMBERS = ['status', 'before', 'outcome', 'reason'];

/** The maximum length of a session_id. */
const MAX_ID_LENGTH = 64;

/** All possible session ids in a value: members with such a name, and texts in lists. */
export function sessionsIn(value: Json, found = new Set<string>()): Set<string> {
  const add = (id: Json | undefined) => {
    if (typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH) found.add(id);
  };
  if (Array.isArray(value))
    for (const entry of value) {
      add(entry);
      sessionsIn(entry, found);
    }
  else if (isObject(value)) {
    for (const name of SESSION_MEMBERS) add(value[name]);
    for (const entry of Object.values(value)) if (typeof entry === 'object') sessionsIn(entry, found);
  }
  return found;
}

/** The sessions that were submitted for a user, saved or not. */
export function sessionsSubmittedBy(user: string, value: Json, found: string[] = []): string[] {
  if (isObject(value) && value['userId'] === user && typeof value['sessionId'] === 'string')
    found.push(value['sessionId']);
  else if (typeof value === 'object' && value !== null)
    for (const entry of Object.values(value)) sessionsSubmittedBy(user, entry, found);
  return found;
}

/** The entries about a learner: objects that name the learner or one of the learner's sessions. */
export function entriesAbout(traces: Traces, value: Json): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((entry) => entriesAbout(traces, entry));
  if (!isObject(value)) return [];
  const who = whose(traces, value);
  if (who !== undefined) return who === 'learner' ? [value] : [];
  return Object.values(value).flatMap((entry) => entriesAbout(traces, entry));
}

/** The person of an entry; undefined when it names nobody. If it names a user and a session, the user counts. */
function whose({ user, sessions }: Traces, entry: JsonObject): 'learner' | 'somebody' | undefined {
  const named = (members: readonly string[]) =>
    members.map((name) => entry[name]).filter((id) => typeof id === 'string');
  const users = named(USER_MEMBERS);
  if (users.length > 0) return users.includes(user) ? 'learner' : 'somebody';
  return named(SESSION_MEMBERS).some((id) => sessions.has(id)) ? 'learner' : undefined;
}

/**
 * Removes a learner from the input and results of a job. Session ids become placeholders of sessions that do not exist.
 * They keep their places in lists, because a job in progress counts by them. Submissions are removed altogether.
 */
export class Redaction {
  /** Placeholders by session id. Each session of a job has one of its own. */
  private readonly names = new Map<string, string>();

  constructor(private readonly traces: Traces) {}

  /** Returns the same object when nothing had to be removed. */
  of(value: Json): Json {
    if (Array.isArray(value)) return this.ofList(value);
    if (!isObject(value)) return value;
    const who = whose(this.traces, value);
    // An answer of another user can equal a session id of this learner by chance.
    if (who !== undefined) return who === 'learner' ? this.stripped(value) : value;
    let isSame = true;
    const members = Object.entries(value).map(([name, member]) => {
      const left = name === 'message' && typeof member === 'string' ? this.ofMessage(member) : this.of(member);
      isSame &&= left === member;
      return [name, left];
    });
    return isSame ? value : (Object.fromEntries(members) as JsonObject);
  }

  /** A message for people. Messages quote the names that they contain. */
  ofMessage(message: string): string {
    const names = [this.traces.user, ...this.traces.sessions];
    return names.some((name) => message.includes(JSON.stringify(name))) ? '' : message;
  }

  /** A text of JSON, or null. */
  ofText<Text extends string | null>(text: Text): Text {
    if (text === null) return text;
    const value = JSON.parse(text) as Json;
    const left = this.of(value);
    return left === value ? text : (JSON.stringify(left) as Text);
  }

  private ofList(list: Json[]): Json[] {
    const left = list
      .filter((entry) => !(isObject(entry) && entry['userId'] === this.traces.user))
      .map((entry) =>
        typeof entry === 'string' && this.traces.sessions.has(entry) ? this.nameOf(entry) : this.of(entry),
      );
    return left.length === list.length && left.every((entry, at) => entry === list[at]) ? list : left;
  }

  private stripped(entry: JsonObject): JsonObject {
    const left: JsonObject = {};
    for (const name of SESSION_MEMBERS) {
      const id = entry[name];
      if (typeof id === 'string') left[name] = this.nameOf(id);
    }
    for (const name of WORD_MEMBERS) if (typeof entry[name] === 'string') left[name] = entry[name];
    return left;
  }

  private nameOf(session: string): string {
    const name = this.names.get(session) ?? `erased-${randomBytes(12).toString('base64url')}`;
    this.names.set(session, name);
    return name;
  }
}
