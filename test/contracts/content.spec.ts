import { engines } from '../support/engines';
import { historyReaderContract } from './history-reader';
import { openPorts, type Ports } from './ports';
import { randomEditsContract } from './random-edits';
import { recordStoreContract } from './record-store';
import { shelfReaderContract } from './shelf-reader';

describe.each(engines)('content on %s:', (engine) => {
  let ports: Ports;
  beforeAll(async () => {
    ports = await openPorts(engine);
  });
  afterAll(() => ports?.close());
  const open = () => Promise.resolve(ports);

  describe('records', () => recordStoreContract(open));
  describe('shelves', () => shelfReaderContract(open));
  describe('history', () => historyReaderContract(open));
  describe('random edits', () => randomEditsContract(open));
});
