import { Fault, isObject, type Json, type JsonObject, objectOf } from '#kernel';
import { isGiven } from './malformed';

/** `config.time.start_time`: with it, the clock of the test never stops. */
interface StartTime {
  /** Milliseconds since 1970; absent: the clock begins when the learner first opens the test. */
  at?: number;
}

const AT = '/config/time/start_time';

/** Waiting pages ask for the test within five seconds after a fixed start. A slow call may take some seconds more. */
const WAITED_MS = 10_000;

/**
 * When the clock of a test begins, in milliseconds: at its fixed start, if it has one. For a learner who waited for that
 * start, it begins with the opening, because pages ask some seconds later.
 * @param openedAt when the learner first opened the test, in milliseconds.
 */
export const beginOf = (startsAt: number | undefined, openedAt: number): number =>
  startsAt === undefined || (openedAt >= startsAt && openedAt < startsAt + WAITED_MS) ? openedAt : startsAt;

/**
 * Reads `start_time` of a request, merged over its activity.
 * @throws Fault for a wrong value, because a test must not begin too early by mistake.
 */
export function startTimeIn(whole: JsonObject): StartTime | undefined {
  const given = objectOf(objectOf(whole.config).time).start_time;
  const { type, value } = objectOf(given);
  // PHP writes an empty object as an empty list.
  const isEmpty = Array.isArray(given) ? given.length === 0 : isObject(given) && !isGiven(type) && !isGiven(value);
  if (!isGiven(given) || given === false || isEmpty) return undefined;
  if (type !== 'hard' && type !== 'soft')
    throw new Fault('type', 'config.time.start_time must be an object with a type: hard or soft.', `${AT}/type`);
  if (type === 'soft') return {};
  const at = momentOf(value);
  if (at === undefined)
    throw new Fault(
      'type',
      'config.time.start_time.value must be a time in UTC with the form YYYYMMDD-HHMM, such as 20260815-1305.',
      `${AT}/value`,
    );
  return { at };
}

function momentOf(value: Json | undefined): number | undefined {
  const [, year, month, day, hour, minute] =
    /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)$/.exec(typeof value === 'string' ? value : '') ?? [];
  if (year === undefined) return undefined;
  const text = `${year}-${month}-${day}T${hour}:${minute}:00.000Z`;
  const at = Date.parse(text);
  // Some engines accept the 30th of February, and 24:00.
  return !Number.isNaN(at) && new Date(at).toISOString() === text ? at : undefined;
}
