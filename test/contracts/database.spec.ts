import { engines } from '../support/engines';
import { databaseContract } from './database';
import { openPorts, type Ports } from './ports';

describe.each(engines)('the database on %s', (engine) => {
  let ports: Ports;
  beforeAll(async () => {
    ports = await openPorts(engine);
  });
  afterAll(() => ports?.close());

  databaseContract(() => Promise.resolve(ports));
});
