import { Type } from '@sinclair/typebox';
import { Fault } from '#kernel';
import { read, words } from './fields';
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
});
