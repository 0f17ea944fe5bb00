import { engines } from '../support/engines';
import { databaseContract } from './database';
import { portsOfSuite } from './ports';

describe.each(engines)('the database on %s', (engine) => {
  const ports = portsOfSuite(engine);

  databaseContract(ports);
});
