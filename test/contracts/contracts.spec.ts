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
import { portsOfSuite } from './ports';
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
  const ports = portsOfSuite(engine);

  describe('consumers', () => consumerStoreContract(ports));
  describe('authors', () => authorStoreContract(ports));
  describe('audit', () => auditStoreContract(ports));
  describe('idempotent answers', () => answerStoreContract(ports));
  describe('jobs', () => jobStoreContract(ports));
  describe('serial jobs', () => serialJobsContract(ports));
  describe('job files', () => jobFileStoreContract(ports));
  describe('job texts', () => jobTextStoreContract(ports));
  describe('events', () => eventStoreContract(ports));
  describe('event sinks', () => sinkStoreContract(ports));
  describe('event deliveries', () => deliveryStoreContract(ports));
  describe('event contents', () => eventsErasureContract(ports));
  describe('assets', () => assetStoreContract(ports));
  describe('tags', () => tagStoreContract(ports));
  describe('hierarchies', () => hierarchyStoreContract(ports));
  describe('hierarchies with common tags', () =>
    hierarchyStoreContract(ports, ({ database, tagUses }) => new HierarchyStoreOfCommonTags(database, tagUses)));
  describe('people', () => personStoreContract(ports));
  describe('sign-ins', () => signInStoreContract(ports));
  describe('pools', () => poolStoreContract(ports));
  describe('pool content', () => poolContentContract(ports));
  describe('session reads', () => sessionReaderContract(engine, ports));
  describe('marking rounds', () => markingStoreContract(ports));
  describe('rescorings', () => rescoringStoreContract(ports));
  describe('attempts', () => attemptStoreContract(ports));
  describe('imports', () => importStoreContract(ports));
  describe('templates', () => templateStoreContract(ports));
  describe('workflows', () => workflowStoreContract(ports));
});
