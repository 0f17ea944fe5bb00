/** The start or the last second of a day, in the time zone of the reader; undefined when the text is not a day. */
export function momentOf(day: string, end: 'first' | 'last'): string | undefined {
  const moment = new Date(`${day}T${end === 'first' ? '00:00:00' : '23:59:59'}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
