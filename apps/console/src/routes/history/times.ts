import { locale } from '../../texts/texts';

/** A moment in the reader's time zone, with seconds, because one minute may have several. */
export const timeOf = (moment: number | string | undefined): string =>
  moment === undefined
    ? '–'
    : new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(moment));

/** The moment in an address as ISO 8601; undefined when the address has none. */
export function momentIn(text: string): string | undefined {
  const date = new Date(text);
  return text === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A time as the browser's field takes it, in the time zone of the reader. */
export function localTime(iso: string | undefined): string {
  if (iso === undefined) return '';
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
