import { Fault, type FaultDetail, throwAny } from '#kernel';

/** Operations by name: `get itembank/items`. */
type Operations = readonly string[];

/**
 * Reads content, and saves views of its lists. Viewers get questions without their keys, and no other content with
 * keys.
 */
const READ_CONTENT: Operations = [
  'get itembank/activities',
  'get itembank/activities/templates',
  'get itembank/facets',
  'get itembank/features',
  'get itembank/items',
  'get itembank/playertemplates',
  'get itembank/pools',
  'get itembank/pools/changes',
  'get itembank/pools/fills',
  'get itembank/questions',
  'get itembank/search',
  'get itembank/tagging/hierarchies',
  'get itembank/tagging/hierarchies/nodes',
  'get itembank/tagging/tags',
  'get itembank/tags',
  'get itembank/views',
  'get itembank/workflows',
  'set itembank/views',
  'update itembank/views',
];

/** Reads the past of content and what a response would score. Both show keys. */
const READ_KEYS: Operations = ['get itembank/history', 'get itembank/history/diff', 'get scoring'];

/** Reads the audit log. {@link checkMembers} says which subjects each role may read. */
const READ_AUDIT: Operations = ['get itembank/audit'];

const READ_SESSIONS: Operations = [
  'get sessions/metadata',
  'get sessions/responses',
  'get sessions/responses/scores',
  'get sessions/scores',
  'get sessions/statuses',
];

const SET_ITEMS: Operations = ['set itembank/items', 'set itembank/items/tags', 'update itembank/items/tags'];

const WRITE_CONTENT: Operations = [
  ...SET_ITEMS,
  'get itembank/warnings',
  'set itembank/activities',
  'set itembank/activities/duplicate',
  'set itembank/activities/tags',
  'update itembank/activities/tags',
  'set itembank/features',
  'set itembank/features/duplicate',
  'set itembank/history/restore',
  'set itembank/items/duplicate',
  'set itembank/questions',
  'set itembank/questions/duplicate',
  'set itembank/tagging/hierarchies',
  'set itembank/tagging/tags',
  'update itembank/tagging/tags',
  'set itembank/tags',
  'get itembank/upload/assets',
];

const MANAGE: Operations = [
  'get itembank/exports',
  'set itembank/exports',
  'get itembank/imports',
  'set itembank/imports',
  'set itembank/imports/apply',
  'set itembank/imports/revert',
  'get itembank/upload/imports',
  'get itembank/offlinepackage',
  'set itembank/pools',
  'update itembank/pools',
  'set itembank/workflows',
  'get jobs/sessions/scores/subscores',
  'update jobs',
  'set jobs/sessions/metadata',
  'update jobs/sessions/statuses',
  'get sessions/templates',
  'set sessions',
  'update sessions/item',
];

const READ_ROUNDS: Operations = ['get sessions/marking/rounds'];

const MARK: Operations = [
  'update sessions/responses/scores',
  'get sessions/marking/queue',
  'set sessions/marking/queue',
  'set sessions/marking/marks',
  'update sessions/marking/marks',
];

/** Manages marking rounds. This includes seeing who gave which mark in a blind round. */
const MANAGE_ROUNDS: Operations = [
  'get sessions/marking/marks',
  'get sessions/marking/questions',
  'set sessions/marking/rounds',
  'update sessions/marking/rounds',
];

const ANALYSE: Operations = ['set jobs/reports/datasets', 'get sessions/reports/adaptive'];
const JOBS: Operations = ['get jobs'];

/** The operations of each role. A person may call the operations of every role that they have in the organisation. */
const OPERATIONS = {
  viewer: READ_CONTENT,
  author: [...READ_CONTENT, ...READ_KEYS, ...READ_AUDIT, ...WRITE_CONTENT, ...JOBS],
  reviewer: [...READ_CONTENT, ...READ_KEYS, ...READ_AUDIT, ...SET_ITEMS, 'set itembank/history/restore', ...JOBS],
  marker: [...READ_CONTENT, ...READ_SESSIONS, ...READ_ROUNDS, ...MARK, ...JOBS, 'get scoring'],
  analyst: [
    ...READ_CONTENT,
    ...READ_KEYS,
    ...READ_AUDIT,
    ...READ_SESSIONS,
    ...READ_ROUNDS,
    ...MANAGE_ROUNDS,
    ...ANALYSE,
    ...JOBS,
  ],
  operator: [
    ...READ_CONTENT,
    ...READ_KEYS,
    ...READ_AUDIT,
    ...WRITE_CONTENT,
    ...READ_SESSIONS,
    ...READ_ROUNDS,
    ...MANAGE_ROUNDS,
    ...MARK,
    ...ANALYSE,
    ...MANAGE,
    ...JOBS,
  ],
} as const satisfies Record<string, Operations>;

export type Role = keyof typeof OPERATIONS;

export const ROLES = Object.keys(OPERATIONS) as Role[];

const sets = new Map<Role, ReadonlySet<string>>(ROLES.map((role) => [role, new Set<string>(OPERATIONS[role])]));

/** Whether one of the roles may call the operation. */
export const mayCall = (roles: readonly Role[], operation: string): boolean =>
  roles.some((role) => sets.get(role)!.has(operation));

/** All operations of the roles, sorted. */
export const operationsOf = (roles: readonly Role[]): string[] =>
  [...new Set(roles.flatMap((role) => [...sets.get(role)!]))].sort();

/** Whether the roles show the right answers of questions. Markers need them; viewers do not. */
export const seesKeys = (roles: readonly Role[]): boolean => roles.some((role) => role !== 'viewer');

/** The roles that may publish content to learners. */
const PUBLISHERS: readonly Role[] = ['reviewer', 'operator'];

/** Whether the roles may publish items. Items that other people copy or restore begin unpublished. */
export const mayPublish = (roles: readonly Role[]): boolean => roles.some((role) => PUBLISHERS.includes(role));

/**
 * Checks the members of a request that only some roles may send. Publishing items and moving them through a workflow
 * needs a reviewer. Searching in definitions needs a role that sees keys, because the results would reveal them. Only
 * operators read the whole audit log.
 * @throws Fault 40003 with the place of each member.
 */
export function checkMembers(roles: readonly Role[], operation: string, input: object): void {
  if (operation === 'get itembank/questions' && 'content_search' in input && !seesKeys(roles))
    throw new Fault(
      'no-rights',
      'A search in definitions would reveal right answers, which your role viewer may not see.',
      '/content_search',
    );
  if (operation === 'get itembank/audit') checkSubjects(roles, (input as { subjects?: readonly string[] }).subjects);
  if (operation !== 'set itembank/items' || mayPublish(roles)) return;
  const { items } = input as { items?: { status?: unknown; authoring_workflow?: unknown }[] };
  const faults = (items ?? []).flatMap(({ status, authoring_workflow: workflow }, index): FaultDetail[] => [
    ...(status === 'published' ? [needsReviewer(`/items/${index}/status`, 'Publishing an item')] : []),
    ...(workflow === undefined
      ? []
      : [needsReviewer(`/items/${index}/authoring_workflow`, 'Moving an item in a workflow')]),
  ]);
  throwAny(faults);
}

/**
 * The subjects of the audit log that roles other than operator may read. All other subjects are about people, programs
 * and learners.
 */
const AUDITED: Partial<Record<Role, readonly string[]>> = {
  author: ['tag', 'tag_hierarchy', 'workflow', 'pool'],
  reviewer: ['tag', 'tag_hierarchy', 'workflow', 'pool'],
  analyst: ['tag', 'tag_hierarchy', 'workflow', 'pool', 'session'],
};

/** The subjects of the audit log that the roles may read; undefined: all of them. */
const auditedBy = (roles: readonly Role[]): string[] | undefined =>
  roles.includes('operator') ? undefined : [...new Set(roles.flatMap((role) => AUDITED[role] ?? []))];

function checkSubjects(roles: readonly Role[], subjects: readonly string[] | undefined): void {
  const allowed = auditedBy(roles);
  if (!allowed) return;
  const said = `your roles read changes of ${allowed.join(', ')}; other changes need the role operator`;
  if (!subjects) throw new Fault('no-rights', `Name the subjects: ${said}.`, '/subjects');
  const faults = subjects.flatMap((subject, index): FaultDetail[] =>
    allowed.includes(subject)
      ? []
      : [{ kind: 'no-rights', message: `You may not read changes of ${subject}: ${said}.`, at: `/subjects/${index}` }],
  );
  throwAny(faults);
}

const needsReviewer = (at: string, what: string): FaultDetail => ({
  kind: 'no-rights',
  message: `${what} takes the role reviewer; you do not have it in this organisation.`,
  at,
});

export function isRole(text: string): text is Role {
  return Object.hasOwn(OPERATIONS, text);
}
