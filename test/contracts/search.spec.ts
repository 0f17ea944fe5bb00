import { engines } from '../support/engines';
import { facetReaderContract } from './facet-reader';
import { openPorts, type Ports } from './ports';
import { searchIndexContract } from './search-index';

describe.each(engines)('search on %s:', (engine) => {
  let ports: Ports;
  beforeAll(async () => {
    ports = await openPorts(engine);
  });
  afterAll(() => ports?.close());

  searchIndexContract(() => Promise.resolve(ports));
  describe('counts', () => facetReaderContract(() => Promise.resolve(ports)));
});
