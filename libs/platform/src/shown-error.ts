import { Fault } from '#kernel';

/** Errors whose messages name only what is ours: tables, columns, users and addresses of servers. */
const ABOUT_US =
  /^(?:ER_(?:NO_SUCH_TABLE|BAD_FIELD_ERROR|BAD_TABLE_ERROR|BAD_DB_ERROR|ACCESS_DENIED_ERROR|DBACCESS_DENIED_ERROR)|E[A-Z]+)$/;

const FRAME = /^\s+at .+$/;

const MAX_LENGTH = 500;

/**
 * An error as the log may show it. Nothing in it comes from a caller: not its further members, in which the database library
 * puts the statement with all that was to be stored; and of its message no text in quotes, in which servers and parsers
 * repeat what they were given. The message of a `Fault` is for its caller, who has it, or reads it in the job.
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
  return typeof code === 'string' && ABOUT_US.test(code) ? message.slice(0, MAX_LENGTH) : unquoted(message);
}

/** Up to the first quotation mark: where a quotation ends cannot be told, as what is quoted may hold marks of its own. */
function unquoted(text: string): string {
  const from = text.search(/["'`]/);
  return (from < 0 ? text : `${text.slice(0, from)}…`).slice(0, MAX_LENGTH);
}

/** Where it happened, without the message, which stands before that. */
function framesOf({ stack, message }: Error): string | undefined {
  if (stack === undefined) return undefined;
  const at = message === '' ? -1 : stack.indexOf(message);
  const frames = at < 0 ? stack : stack.slice(at + message.length);
  return frames
    .split('\n')
    .filter((line) => FRAME.test(line))
    .join('\n');
}
