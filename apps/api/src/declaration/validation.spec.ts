import { Type } from '@sinclair/typebox';
import { Fault } from '#kernel';
import { limit, maxTime, minTime, read, words } from './fields';
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
