import { engines } from '../support/engines';
import { auditStoreContract } from './audit-store';
import { authorStoreContract } from './author-store';
import { consumerStoreContract } from './consumer-store';
import { openPorts, type Ports } from './ports';
import { tagStoreContract } from './tag-store';

describe.each(engines)('the ports on %s:', (engine) => {
  let ports: Ports;
  beforeAll(async () => {
    ports = await openPorts(engine);
  });
  afterAll(() => ports?.close());
  const open = () => Promise.resolve(ports);

  describe('consumers', () => consumerStoreContract(open));
  describe('authors', () => authorStoreContract(open));
  describe('audit', () => auditStoreContract(open));
  describe('tags', () => tagStoreContract(open));
});
