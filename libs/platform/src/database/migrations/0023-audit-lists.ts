import { migration } from './migration';

/** Lists of the audit log by subject, author or operation, in the order of time. */
export const auditLists = migration('AuditLists1797800000000', () => [
  `CREATE INDEX audit_subject_time ON audit (organisation_id, subject, id)`,
  `CREATE INDEX audit_author_time ON audit (organisation_id, author_id, id)`,
  `CREATE INDEX audit_operation_time ON audit (organisation_id, operation, id)`,
]);
