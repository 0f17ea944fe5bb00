import { Fault } from '#kernel';

/** Errors whose messages name only our own tables, columns, users and server addresses. */
const SAFE_CODES =
  /^(?:ER_(?:NO_SUCH_TABLE|BAD_FIELD_ERROR|BAD_TABLE_ERROR|BAD_DB_ERROR|(?:|DB|TABLE|COLUMN|SPECIFIC_)ACCESS_DENIED_ERROR)|E[A-Z]+)$/;

const FRAME = /^\s+at .+$/;

const MAX_LENGTH = 500;

/**
 * An error without anything that came from a caller, safe for the log. Drops further members, because the database
 * library puts the statement and its values there. Drops quoted text from the message, because servers and parsers
 * quote their input there. Drops the message of a `Fault`: its caller gets it in the answer or reads it in the job.
 */
export function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? unquoted(error) : typeof error;
  const { name, code, cause } = error as Error & { code?: unknown };
  return {
    type: name,
    ...(error instanceof Fault ? { kind: error.kind } : {}),
    message: messageOf(error, code),
    stack: framesOf(error),
    code: typeof code === 'number' || (typeof code === 'string' && /^\w+$/.test(code)) ? code : undefined,
    cause: cause === undefined ? undefined : shownError(cause),
  };
}

function messageOf(error: Error, code: unknown): string | undefined {
  const { message } = error;
  if (error instanceof Fault) return error.kind === 'unavailable' ? message : undefined;
  return typeof code === 'string' && SAFE_CODES.test(code) ? message.slice(0, MAX_LENGTH) : unquoted(message);
}

/**
 * The text before the first quotation mark. The end of a quotation is unknown, because the quoted text may contain
 * marks.
 */
function unquoted(text: string): string {
  const from = text.search(/["'`]/);
  return (from < 0 ? text : `${text.slice(0, from)}…`).slice(0, MAX_LENGTH);
}

/** The stack frames, without the message above them. */
function framesOf({ stack, message }: Error): string | undefined {
  if (stack === undefined) return undefined;
  const at = message === '' ? -1 : stack.indexOf(message);
  const frames = at < 0 ? stack : stack.slice(at + message.length);
  return frames
    .split('\n')
    .filter((line) => FRAME.test(line))
    .join('\n');
}
