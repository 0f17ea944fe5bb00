import { assert, date, property } from 'fast-check';
import { isoTime } from './wire';

it('formats any time as ISO 8601, without the fraction of the second', () => {
  // One millisecond below the maximum of Date.
  const range = { max: new Date(8.64e15 - 1), noInvalidDate: true };
  assert(
    property(date(range), date(range), (one, other) => {
      // isoTime remembers the last day. So each date is formatted both after another day and after the same one.
      for (const moment of [one, other, new Date(other.getTime() + 1), one])
        expect(isoTime(moment.getTime())).toBe(moment.toISOString().replace(/\.\d{3}/, ''));
    }),
  );
});
