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
import { jobLinesContract } from './job-lines';
import { jobStoreContract } from './job-store';
import { jobTextStoreContract } from './job-text-store';
import { keptEventsContract } from './events-erasure';
import { openPorts, type Ports } from './ports';
import { poolContentContract } from './pool-content';
import { poolStoreContract } from './pool-store';
import { rescoringStoreContract } from './rescoring-store';
import { sinkStoreContract } from './sink-store';
import { sessionReaderContract } from './session-reader';
import { tagStoreContract } from './tag-store';
import { templateStoreContract } from './template-store';
import { workflowStoreContract } from './workflow-store';

/** Takes every tag for a common one, as those of a large bank are. */
class OfCommonTags extends SqlHierarchyStore {
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
  describe('kept answers', () => answerStoreContract(open));
  describe('jobs', () => jobStoreContract(open));
  describe('jobs of a line', () => jobLinesContract(open));
  describe('files of jobs', () => jobFileStoreContract(open));
  describe('what a job says', () => jobTextStoreContract(open));
  describe('events', () => eventStoreContract(open));
  describe('sinks of events', () => sinkStoreContract(open));
  describe('deliveries of events', () => deliveryStoreContract(open));
  describe('what events say', () => keptEventsContract(open));
  describe('assets', () => assetStoreContract(open));
  describe('tags', () => tagStoreContract(open));
  describe('hierarchies', () => hierarchyStoreContract(open));
  describe('hierarchies of common tags', () =>
    hierarchyStoreContract(async () => ({ ...ports, hierarchies: new OfCommonTags(ports.database) })));
  describe('pools', () => poolStoreContract(open));
  describe('content of pools', () => poolContentContract(open));
  describe('sessions as readers see them', () => sessionReaderContract(engine, open));
  describe('rescorings', () => rescoringStoreContract(open));
  describe('sessions in pages', () => attemptStoreContract(open));
  describe('imports', () => importStoreContract(open));
  describe('templates', () => templateStoreContract(open));
  describe('workflows', () => workflowStoreContract(open));
});
