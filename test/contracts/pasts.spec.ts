import { engines } from '../support/engines';
import { portsOfSuite } from './ports';
import { randomPastsContract } from './random-pasts';

describe.each(engines)('pasts on %s:', (engine) => {
  const ports = portsOfSuite(engine);

  describe('random edits', () => randomPastsContract(ports));
});
