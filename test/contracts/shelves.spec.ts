import { SqlPinnedContent } from '../../libs/content/src/infrastructure/sql-pinned-content';
import { engines } from '../support/engines';
import { fewRowsContract } from './few-rows';
import { pinnedContentContract } from './pinned-content';
import { openPorts, type Ports } from './ports';
import { shelfReaderContract } from './shelf-reader';

describe.each(engines)('shelves on %s:', (engine) => {
  let ports: Ports;
  beforeAll(async () => {
    ports = await openPorts(engine);
  });
  afterAll(() => ports?.close());

  shelfReaderContract(() => Promise.resolve(ports));

  const withPinned = () => Promise.resolve({ ...ports, pinned: new SqlPinnedContent(ports.database) });

  describe('pinned content', () => pinnedContentContract(withPinned));

  describe('a large bank', () => fewRowsContract(engine, withPinned));
});
