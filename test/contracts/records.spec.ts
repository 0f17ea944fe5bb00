import { engines } from '../support/engines';
import { historyReaderContract } from './history-reader';
import { portsOfSuite } from './ports';
import { randomEditsContract } from './random-edits';
import { recordStoreContract } from './record-store';

describe.each(engines)('records on %s:', (engine) => {
  const ports = portsOfSuite(engine);

  describe('the store', () => recordStoreContract(ports));
  describe('the history', () => historyReaderContract(ports));
  describe('random edits', () => randomEditsContract(ports));
});
