import { engines } from '../support/engines';
import { facetReaderContract } from './facet-reader';
import { portsOfSuite } from './ports';
import { searchIndexContract } from './search-index';

describe.each(engines)('search on %s:', (engine) => {
  const ports = portsOfSuite(engine);

  searchIndexContract(ports);
  describe('counts', () => facetReaderContract(ports));
});
