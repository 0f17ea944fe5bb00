import { assert, date, property } from 'fast-check';
import { isoTime } from './wire';

it('writes any moment as the runtime does, but for the fraction of the second', () => {
  // A millisecond less than the runtime knows.
  const range = { max: new Date(8.64e15 - 1), noInvalidDate: true };
  assert(
    property(date(range), date(range), (one, other) => {
      // The day before is remembered: each is written after another one, and after itself.
      for (const moment of [one, other, new Date(other.getTime() + 1), one])
        expect(isoTime(moment.getTime())).toBe(moment.toISOString().replace(/\.\d{3}/, ''));
    }),
  );
});
