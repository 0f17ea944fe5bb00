import { randomBytes } from 'node:crypto';
import { type Json, type JsonObject } from '#kernel';

/** What of a learner is looked for in what jobs say. */
export interface Traces {
  user: string;
  sessions: ReadonlySet<string>;
}

const SESSION_MEMBERS = ['sessionId', 'session_id'];
const USER_MEMBERS = ['userId', 'user_id'];
/** What may stay of an entry about somebody: words out of a few. */
const WORD_MEMBERS = ['status', 'before', 'outcome', 'reason'];

/** No session_id is longer. */
const MAX_ID_LENGTH = 64;

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whatever may be the id of a session: members that are called so, and texts in lists. */
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

/** The sessions that were handed in as those of a user, whether or not they were saved. */
export function handedInBy(user: string, value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => handedInBy(user, entry));
  if (!isObject(value)) return [];
  const { userId, sessionId } = value;
  if (userId === user && typeof sessionId === 'string') return [sessionId];
  return Object.values(value).flatMap((entry) => handedInBy(user, entry));
}

/** The entries about a learner: objects that name the learner, or a session. */
export function entriesAbout(traces: Traces, value: Json): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((entry) => entriesAbout(traces, entry));
  if (!isObject(value)) return [];
  const who = whose(traces, value);
  if (who !== undefined) return who === 'learner' ? [value] : [];
  return Object.values(value).flatMap((entry) => entriesAbout(traces, entry));
}

/** Whom an entry is about; undefined where it names nobody. By its user, who may have handed in for a session of another. */
function whose({ user, sessions }: Traces, entry: JsonObject): 'learner' | 'somebody' | undefined {
  const named = (members: readonly string[]) =>
    members.map((name) => entry[name]).filter((id) => typeof id === 'string');
  const users = named(USER_MEMBERS);
  if (users.length > 0) return users.includes(user) ? 'learner' : 'somebody';
  return named(SESSION_MEMBERS).some((id) => sessions.has(id)) ? 'learner' : undefined;
}

/**
 * Takes a learner out of what a job says. What it was to do with a session it is then to do with one that does not exist, in
 * the same place of its list: jobs that have come half way count on the places. What was handed in goes altogether.
 */
export class Redaction {
  /** In a job one session has one name, and no other session has it. */
  private readonly names = new Map<string, string>();

  constructor(private readonly traces: Traces) {}

  /** The same object where nothing had to go. */
  of(value: Json): Json {
    if (Array.isArray(value)) return this.ofList(value);
    if (!isObject(value)) return value;
    const who = whose(this.traces, value);
    // What others answered may by chance be what a session is called.
    if (who !== undefined) return who === 'learner' ? this.stripped(value) : value;
    let isSame = true;
    const members = Object.entries(value).map(([name, member]) => {
      const left = name === 'message' && typeof member === 'string' ? this.ofMessage(member) : this.of(member);
      isSame &&= left === member;
      return [name, left];
    });
    return isSame ? value : (Object.fromEntries(members) as JsonObject);
  }

  /** A sentence for people: they quote whom they name. */
  ofMessage(message: string): string {
    const names = [this.traces.user, ...this.traces.sessions];
    return names.some((name) => message.includes(JSON.stringify(name))) ? '' : message;
  }

  /** A text that is JSON; null stays null. */
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
