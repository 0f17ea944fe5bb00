import { SqlHierarchyStore } from '../../libs/tagging/src/infrastructure/sql-hierarchy-store';
import { engines } from '../support/engines';
import { answerStoreContract } from './answer-store';
import { assetStoreContract } from './asset-store';
import { attemptStoreContract } from './attempt-store';
import { auditStoreContract } from './audit-store';
import { authorStoreContract } from './author-store';
import { consumerStoreContract } from './consumer-store';
import { deliveryStoreContract } from './delivery-store';
import { eventStoreContract } from './event-store';
import { hierarchyStoreContract } from './hierarchy-store';
import { importStoreContract } from './import-store';
import { jobFileStoreContract } from './job-file-store';
import { jobStoreContract } from './job-store';
import { jobTextStoreContract } from './job-text-store';
import { eventsErasureContract } from './events-erasure';
import { markingStoreContract } from './marking-store';
import { openPorts, type Ports } from './ports';
import { personStoreContract } from './person-store';
import { poolContentContract } from './pool-content';
import { poolStoreContract } from './pool-store';
import { rescoringStoreContract } from './rescoring-store';
import { signInStoreContract } from './sign-in-store';
import { sinkStoreContract } from './sink-store';
import { serialJobsContract } from './serial-jobs';
import { sessionReaderContract } from './session-reader';
import { tagStoreContract } from './tag-store';
import { templateStoreContract } from './template-store';
import { workflowStoreContract } from './workflow-store';

/** Treats every tag as common, as in a large bank. */
class HierarchyStoreOfCommonTags extends SqlHierarchyStore {
  protected override readonly common = 1;
}

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
  describe('idempotent answers', () => answerStoreContract(open));
  describe('jobs', () => jobStoreContract(open));
  describe('serial jobs', () => serialJobsContract(open));
  describe('job files', () => jobFileStoreContract(open));
  describe('job texts', () => jobTextStoreContract(open));
  describe('events', () => eventStoreContract(open));
  describe('event sinks', () => sinkStoreContract(open));
  describe('event deliveries', () => deliveryStoreContract(open));
  describe('event contents', () => eventsErasureContract(open));
  describe('assets', () => assetStoreContract(open));
  describe('tags', () => tagStoreContract(open));
  describe('hierarchies', () => hierarchyStoreContract(open));
  describe('hierarchies with common tags', () =>
    hierarchyStoreContract(async () => ({
      ...ports,
      hierarchies: new HierarchyStoreOfCommonTags(ports.database, ports.tagUses),
    })));
  describe('people', () => personStoreContract(open));
  describe('sign-ins', () => signInStoreContract(open));
  describe('pools', () => poolStoreContract(open));
  describe('pool content', () => poolContentContract(open));
  describe('session reads', () => sessionReaderContract(engine, open));
  describe('marking rounds', () => markingStoreContract(open));
  describe('rescorings', () => rescoringStoreContract(open));
  describe('attempts', () => attemptStoreContract(open));
  describe('imports', () => importStoreContract(open));
  describe('templates', () => templateStoreContract(open));
  describe('workflows', () => workflowStoreContract(open));
});
