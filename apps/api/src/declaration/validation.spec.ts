import { Type } from '@sinclair/typebox';
import { Fault } from '#kernel';
import { limit, maxTime, minTime, nullable, read, words } from './fields';
import { InputCheck, MAX_FOUND } from './validation';

const MANY = 200_000;

/** The fault that reading the request throws. */
function faultOf(check: InputCheck<ReturnType<typeof Type.Object>>, request: object): Fault {
  try {
    check.read(request, 1000);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('It was read.');
}

describe('faults of a request', () => {
  const firsts = Array.from({ length: 50 }, (_, index) => `/list/${index}`);

  it('are searched in a limited number of entries', () => {
    let looked = 0;
    const entry = read((_value, at) => {
      looked++;
      throw new Fault('type', 'It is wrong.', at);
    }, {});
    const check = new InputCheck(Type.Object({ list: Type.Array(entry) }));
    const fault = faultOf(check, { list: new Array(MANY).fill(0) });
    expect(fault.details.map(({ at }) => at)).toEqual(firsts);
    expect(looked).toBe(MAX_FOUND);
  });

  it('may be very many in one member', () => {
    const list = read((_value, at) => {
      throw Fault.of(Array.from({ length: MANY }, (_, index) => ({ kind: 'type', message: '', at: `${at}/${index}` })));
    }, {});
    const fault = faultOf(new InputCheck(Type.Object({ list })), { list: 0 });
    expect(fault.details.map(({ at }) => at)).toEqual(firsts);
  });

  it('name the allowed words, even if there is only one', () => {
    const check = new InputCheck(Type.Object({ one: words(['delete']), some: words(['a', 'b']) }));
    const fault = faultOf(check, { one: 'x', some: 'x' });
    expect(fault.details).toEqual([
      { kind: 'value', at: '/one', message: 'one must be delete; it is "x".' },
      { kind: 'value', at: '/some', message: 'some must be one of a, b; it is "x".' },
    ]);
    expect(faultOf(check, { one: 1, some: 'a' }).details).toEqual([
      { kind: 'type', at: '/one', message: 'one must be text, delete; it is the number 1.' },
    ]);
  });

  it('say that a list or null is right for a list that may be null', () => {
    const check = new InputCheck(Type.Object({ names: nullable(Type.Array(Type.String())) }));
    expect(faultOf(check, { names: 'x' }).message).toBe('names must be a list or null; it is "x".');
  });

  it('say what a member has that its reader does not take', () => {
    const tags = read((_value, at) => {
      throw Fault.of(
        ['', '/a~1b', '/c/1'].map((part) => ({ kind: 'type', message: 'It must be text.', at: `${at}${part}` })),
      );
    }, {});
    const check = new InputCheck(Type.Object({ limit: limit(), from: minTime('time'), tags }));
    const fault = faultOf(check, { limit: 'many', from: '2026-13-01', tags: { 'a/b': null, c: ['x', 5] } });
    expect(fault.details.map(({ at, message }) => [at, message])).toEqual([
      ['/from', 'from must be Unix seconds or an ISO 8601 time such as 2026-01-31T09:30:00Z; it is "2026-13-01".'],
      ['/limit', 'limit must be a whole number; it is "many".'],
      ['/tags', 'It must be text; it is an object.'],
      ['/tags/a~1b', 'It must be text; it is null.'],
      ['/tags/c/1', 'It must be text; it is the number 5.'],
    ]);
  });
});

it('reads eight digits as a date, and other digits as Unix seconds', () => {
  const check = new InputCheck(Type.Object({ from: minTime('time'), to: maxTime('time') }));
  const day = Date.UTC(2026, 10, 27);
  expect(check.read({ from: '20261127', to: '20261127' }, 0)).toEqual({ from: day, to: day + 86_399_999 });
  expect(check.read({ from: '1795737600', to: 1795737600 }, 0)).toEqual({ from: day, to: day + 999 });
  expect(faultOf(check, { from: '20261301' }).details.map(({ at }) => at)).toEqual(['/from']);
});

it('reads the times of ISO 8601 with and without separators, and without minutes', () => {
  const check = new InputCheck(Type.Object({ from: minTime('time'), to: maxTime('time') }));
  const hour = Date.UTC(2026, 10, 27, 14);
  const MINUTE = 60_000;
  for (const [written, start, length] of [
    ['20261127T143005Z', hour + 30 * MINUTE + 5000, 1000],
    ['20261127T1430', hour + 30 * MINUTE, MINUTE],
    ['20261127T14', hour, 60 * MINUTE],
    ['2026-11-27T14', hour, 60 * MINUTE],
    ['20261127T163005.5+0200', hour + 30 * MINUTE + 5500, 1],
    ['2026-11-27T14:30:05,25Z', hour + 30 * MINUTE + 5250, 1],
    ['2026-11-27 15:30:05+01', hour + 30 * MINUTE + 5000, 1000],
    ['2026-11-27T13:30:05-01:00', hour + 30 * MINUTE + 5000, 1000],
  ] as const)
    expect([written, check.read({ from: written, to: written }, 0)]).toEqual([
      written,
      { from: start, to: start + length - 1 },
    ]);
  for (const wrong of ['202611-27', '2026-11-27T1430:05Z', '20261127T25', '20260230T10', '2026-11-27T14:30+1'])
    expect([wrong, ...faultOf(check, { from: wrong }).details.map(({ at }) => at)]).toEqual([wrong, '/from']);
});
