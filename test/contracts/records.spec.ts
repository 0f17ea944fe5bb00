import { engines } from '../support/engines';
import { historyReaderContract } from './history-reader';
import { openPorts, type Ports } from './ports';
import { randomEditsContract } from './random-edits';
import { recordStoreContract } from './record-store';

describe.each(engines)('records on %s:', (engine) => {
  let ports: Ports;
  beforeAll(async () => {
    ports = await openPorts(engine);
  });
  afterAll(() => ports?.close());
  const open = () => Promise.resolve(ports);

  describe('the store', () => recordStoreContract(open));
  describe('the history', () => historyReaderContract(open));
  describe('random edits', () => randomEditsContract(open));
});
