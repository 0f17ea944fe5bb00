import 'reflect-metadata';
import { type Author, type Scope } from '#kernel';
import { Audit, Authors } from '#access';
import { Database } from '#platform';
import { SqlTagSetIds, SqlTagSets, Tags, type TagUses } from '#tagging';
import { type WorkflowUses } from '#workflows';
import { type AnswerStore } from '../../libs/access/src/application/ports/answer-store';
import { type AuditStore } from '../../libs/access/src/application/ports/audit-store';
import { type AuthorStore } from '../../libs/access/src/application/ports/author-store';
import { type ConsumerStore } from '../../libs/access/src/application/ports/consumer-store';
import { SqlAnswerStore } from '../../libs/access/src/infrastructure/sql-answer-store';
import { SqlAuditStore } from '../../libs/access/src/infrastructure/sql-audit-store';
import { SqlAuthorStore } from '../../libs/access/src/infrastructure/sql-author-store';
import { SqlConsumerStore } from '../../libs/access/src/infrastructure/sql-consumer-store';
import { type AssetStore } from '../../libs/content/src/application/ports/asset-store';
import { type FacetReader } from '../../libs/content/src/application/ports/facet-reader';
import { type PinnedContent } from '../../libs/content/src/application/ports/pinned-content';
import { type HistoryReader } from '../../libs/content/src/application/ports/history-reader';
import { type GenerationReader } from '../../libs/content/src/application/ports/generation-reader';
import { type PoolContent } from '../../libs/content/src/application/ports/pool-content';
import { type PoolPicks } from '../../libs/content/src/application/ports/pool-picks';
import { type RecordStore } from '../../libs/content/src/application/ports/record-store';
import { type SearchIndex } from '../../libs/content/src/application/ports/search-index';
import { type ShelfReader } from '../../libs/content/src/application/ports/shelf-reader';
import { SqlAssetStore } from '../../libs/content/src/infrastructure/sql-asset-store';
import { type TemplateStore } from '../../libs/content/src/application/ports/template-store';
import { SqlFacetReader } from '../../libs/content/src/infrastructure/sql-facet-reader';
import { SqlPinnedContent } from '../../libs/content/src/infrastructure/sql-pinned-content';
import { SqlHistoryReader } from '../../libs/content/src/infrastructure/sql-history-reader';
import { SqlGenerationReader } from '../../libs/content/src/infrastructure/sql-generation-reader';
import { SqlPoolContent } from '../../libs/content/src/infrastructure/sql-pool-content';
import { SqlPoolPicks } from '../../libs/content/src/infrastructure/sql-pool-picks';
import { SqlRecordStore } from '../../libs/content/src/infrastructure/sql-record-store';
import { SqlSearchIndex } from '../../libs/content/src/infrastructure/sql-search-index';
import { SqlShelfReader } from '../../libs/content/src/infrastructure/sql-shelf-reader';
import { SqlTagUses } from '../../libs/content/src/infrastructure/sql-tag-uses';
import { SqlTemplateStore } from '../../libs/content/src/infrastructure/sql-template-store';
import { SqlWorkflowUses } from '../../libs/content/src/infrastructure/sql-workflow-uses';
import { type DeliveryStore } from '../../libs/events/src/application/ports/delivery-store';
import { type EventStore } from '../../libs/events/src/application/ports/event-store';
import { type SinkStore } from '../../libs/events/src/application/ports/sink-store';
import { type EventsErasure } from '../../libs/events/src/application/ports/events-erasure';
import { SqlEventsErasure } from '../../libs/events/src/infrastructure/sql-events-erasure';
import { type JobTextStore } from '../../libs/jobs/src/application/ports/job-text-store';
import { SqlJobTextStore } from '../../libs/jobs/src/infrastructure/sql-job-text-store';
import { SqlDeliveryStore } from '../../libs/events/src/infrastructure/sql-delivery-store';
import { SqlEventStore } from '../../libs/events/src/infrastructure/sql-event-store';
import { SqlSinkStore } from '../../libs/events/src/infrastructure/sql-sink-store';
import { type ImportStore } from '../../libs/interchange/src/application/ports/import-store';
import { SqlImportStore } from '../../libs/interchange/src/infrastructure/sql-import-store';
import { type JobStore } from '../../libs/jobs/src/application/ports/job-store';
import { type JobFileStore } from '../../libs/jobs/src/application/ports/job-file-store';
import { SqlJobFileStore } from '../../libs/jobs/src/infrastructure/sql-job-file-store';
import { SqlJobStore } from '../../libs/jobs/src/infrastructure/sql-job-store';
import { type PoolStore } from '../../libs/pools/src/application/ports/pool-store';
import { type PersonStore } from '../../libs/people/src/application/ports/person-store';
import { type SignInStore } from '../../libs/people/src/application/ports/sign-in-store';
import { SqlPersonStore } from '../../libs/people/src/infrastructure/sql-person-store';
import { SqlSignInStore } from '../../libs/people/src/infrastructure/sql-sign-in-store';
import { SqlPoolStore } from '../../libs/pools/src/infrastructure/sql-pool-store';
import { type MarkingStore } from '../../libs/marking/src/application/ports/marking-store';
import { SqlMarkingStore } from '../../libs/marking/src/infrastructure/sql-marking-store';
import { type RescoringStore } from '../../libs/rescoring/src/application/ports/rescoring-store';
import { SqlRescoringStore } from '../../libs/rescoring/src/infrastructure/sql-rescoring-store';
import { type HierarchyStore } from '../../libs/tagging/src/application/ports/hierarchy-store';
import { type TagStore } from '../../libs/tagging/src/application/ports/tag-store';
import { SqlHierarchyStore } from '../../libs/tagging/src/infrastructure/sql-hierarchy-store';
import { SqlTagStore } from '../../libs/tagging/src/infrastructure/sql-tag-store';
import { type FormStore } from '../../libs/sessions/src/application/ports/form-store';
import { type SessionReader } from '../../libs/sessions/src/application/ports/session-reader';
import { type SessionStore } from '../../libs/sessions/src/application/ports/session-store';
import { SqlFormStore } from '../../libs/sessions/src/infrastructure/sql-form-store';
import { SqlSessionReader } from '../../libs/sessions/src/infrastructure/sql-session-reader';
import { SqlSessionStore } from '../../libs/sessions/src/infrastructure/sql-session-store';
import { type WorkflowStore } from '../../libs/workflows/src/application/ports/workflow-store';
import { SqlWorkflowStore } from '../../libs/workflows/src/infrastructure/sql-workflow-store';
import { type Engine } from '../support/engines';
import { migratedDatabase } from '../support/migrated-database';

/** The adapters of all ports on one migrated database. Each test uses organisations of its own. */
export interface Ports {
  /** The URL of the database, for further connections. */
  url: string;
  database: Database;
  consumers: ConsumerStore;
  authors: AuthorStore;
  audit: AuditStore;
  assets: AssetStore;
  answers: AnswerStore;
  jobs: JobStore;
  jobFiles: JobFileStore;
  events: EventStore;
  sinks: SinkStore;
  deliveries: DeliveryStore;
  eventsErasure: EventsErasure;
  jobTexts: JobTextStore;
  tagUses: TagUses;
  tagStore: TagStore;
  /** Tag sets for readers. */
  tagSets: SqlTagSets;
  /** Creates the tags and tag sets of records. */
  tags: Tags;
  hierarchies: HierarchyStore;
  workflows: WorkflowStore;
  workflowUses: WorkflowUses;
  people: PersonStore;
  signIns: SignInStore;
  pools: PoolStore;
  picks: PoolPicks;
  /** Content of pools. */
  poolContent: PoolContent;
  generations: GenerationReader;
  records: RecordStore;
  shelves: ShelfReader;
  search: SearchIndex;
  facets: FacetReader;
  pinned: PinnedContent;
  history: HistoryReader;
  templates: TemplateStore;
  imports: ImportStore;
  marking: MarkingStore;
  rescorings: RescoringStore;
  forms: FormStore;
  sessions: SessionStore;
  sessionReader: SessionReader;
  close(): Promise<void>;
}

/** The ports on a database of their own. They are open while the tests of the suite run. */
export function portsOfSuite(engine: Engine): Ports {
  const ports = {} as Ports;
  beforeAll(async () => Object.assign(ports, await openPorts(engine)));
  afterAll(() => ports.close?.());
  return ports;
}

async function openPorts(engine: Engine): Promise<Ports> {
  const made = await migratedDatabase(engine);
  const database = await Database.open(made.url);
  const authors = new SqlAuthorStore(database);
  const audit = new SqlAuditStore(database);
  const tagSetIds = new SqlTagSetIds(database);
  const tagUses = new SqlTagUses(database);
  const tagStore = new SqlTagStore(database, tagSetIds, tagUses);
  const tagSets = new SqlTagSets(database);
  const tags = new Tags(tagStore, database, new Authors(authors), new Audit(audit));
  return {
    url: made.url,
    database,
    consumers: new SqlConsumerStore(database),
    authors,
    audit,
    assets: new SqlAssetStore(database),
    answers: new SqlAnswerStore(database),
    jobs: new SqlJobStore(database),
    jobFiles: new SqlJobFileStore(database),
    events: new SqlEventStore(database),
    sinks: new SqlSinkStore(database),
    deliveries: new SqlDeliveryStore(database),
    eventsErasure: new SqlEventsErasure(database),
    jobTexts: new SqlJobTextStore(database),
    tagUses,
    tagStore,
    tagSets,
    tags,
    hierarchies: new SqlHierarchyStore(database, tagUses),
    workflows: new SqlWorkflowStore(database),
    workflowUses: new SqlWorkflowUses(database),
    people: new SqlPersonStore(database),
    signIns: new SqlSignInStore(database),
    pools: new SqlPoolStore(database),
    picks: new SqlPoolPicks(database, tags, tagSets),
    poolContent: new SqlPoolContent(database),
    generations: new SqlGenerationReader(database, tagSets),
    records: new SqlRecordStore(database, tagSetIds),
    shelves: new SqlShelfReader(database, tags, tagSets),
    search: new SqlSearchIndex(database, tags),
    facets: new SqlFacetReader(database, tags),
    pinned: new SqlPinnedContent(database),
    history: new SqlHistoryReader(database),
    templates: new SqlTemplateStore(database),
    imports: new SqlImportStore(database),
    marking: new SqlMarkingStore(database),
    rescorings: new SqlRescoringStore(database),
    forms: new SqlFormStore(database),
    sessions: new SqlSessionStore(database),
    sessionReader: new SqlSessionReader(database),
    close: async () => {
      await database.close();
      await made.drop();
    },
  };
}

let organisations = 0;

/** Returns a new organisation for a test. Its item bank is empty. */
export function newOrganisation(): number {
  return ++organisations;
}

/** 2 January 2026, 03:04:05 UTC. */
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

let days = 0;

/** Returns midnight of a later day each time, because ids never go back in time. */
export function newDay(): number {
  return Date.UTC(2026, 1, ++days);
}

/** The scope of a store's write. */
export function scopeOf(organisation: number, now = NOW, author?: Author, operation = 'set itembank/items'): Scope {
  return { shelf: { organisation }, author, operation, now, readable: new Set([organisation]) };
}

export { type Signal, signal } from '../support/signal';
