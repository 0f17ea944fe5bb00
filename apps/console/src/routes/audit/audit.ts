import type { AuditEntry } from '../../operations/operations';
import { useWorkplace } from '../../session/session';

export type Subject = AuditEntry['subject'];

const OF_CONTENT = ['tag', 'tag_hierarchy', 'workflow', 'pool'] as const satisfies readonly Subject[];
const OF_OPERATORS = [
  ...OF_CONTENT,
  'session',
  'learner',
  'person',
  'consumer',
  'organisation',
  'webhook',
  'event_stream',
  'player_template',
  'base_template',
] as const satisfies readonly Subject[];

/** The subjects whose changes the person may read; the operation refuses others. */
export function useSubjects(): readonly Subject[] {
  const { roles } = useWorkplace().organisation;
  if (roles.includes('operator')) return OF_OPERATORS;
  return roles.includes('analyst') ? [...OF_CONTENT, 'session'] : OF_CONTENT;
}
