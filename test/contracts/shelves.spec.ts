import { engines } from '../support/engines';
import { openPorts, type Ports } from './ports';
import { shelfReaderContract } from './shelf-reader';

describe.each(engines)('shelves on %s:', (engine) => {
  let ports: Ports;
  beforeAll(async () => {
    ports = await openPorts(engine);
  });
  afterAll(() => ports?.close());

  shelfReaderContract(() => Promise.resolve(ports));
});
