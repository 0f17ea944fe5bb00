import { engines } from '../support/engines';
import { fewRowsContract } from './few-rows';
import { pinnedContentContract } from './pinned-content';
import { portsOfSuite } from './ports';
import { shelfReaderContract } from './shelf-reader';

describe.each(engines)('shelves on %s:', (engine) => {
  const ports = portsOfSuite(engine);

  shelfReaderContract(ports);

  describe('pinned content', () => pinnedContentContract(ports));

  describe('a large bank', () => fewRowsContract(engine, ports));
});
