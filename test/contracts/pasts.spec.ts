import { engines } from '../support/engines';
import { openPorts, type Ports } from './ports';
import { randomPastsContract } from './random-pasts';

describe.each(engines)('pasts on %s:', (engine) => {
  let ports: Ports;
  beforeAll(async () => {
    ports = await openPorts(engine);
  });
  afterAll(() => ports?.close());
  const open = () => Promise.resolve(ports);

  describe('random edits', () => randomPastsContract(open));
});
