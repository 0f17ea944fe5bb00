import { type Static, Type } from '@sinclair/typebox';
import { Authors } from '#access';
import { type Position, type Scope } from '#kernel';
import { OrganisationAudit } from '#people';
import { maxTime, minTime, optional, text } from '../../../declaration/fields';
import { bank, paging } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { pageOf } from '../../../declaration/results';
import { AuditEntry, auditEntryView, subjects } from './audit-entry-view';

const GetAuditInput = Type.Object({
  ...bank,
  ...paging,
  subjects: optional(Type.Array(subjects, { maxItems: 100, description: 'Any of these; default: all.' })),
  references: optional(
    Type.Array(text(), {
      maxItems: 100,
      description:
        'What was changed, written as in `reference` of an entry. In `type:name` of a tag, the type ends at the first colon.',
    }),
  ),
  created_by: optional(
    Type.Array(text(), {
      maxItems: 100,
      description: 'Ids of the users who made the changes; `manual-user` for changes without a known user.',
    }),
  ),
  operations: optional(
    Type.Array(text(), { maxItems: 100, description: 'What was done, written as in `operation` of an entry.' }),
  ),
  mintime: minTime('time of a change'),
  maxtime: maxTime('time of a change'),
});

@operation({
  path: 'itembank/audit',
  action: 'get',
  summary:
    'Reads the audit log, newest first: who changed tags, workflows, pools, sessions, people, consumers and other things without revisions.',
  example: { subjects: ['tag'], limit: 10 },
  input: GetAuditInput,
  output: Type.Array(AuditEntry),
})
export class GetAudit implements Operation<typeof GetAuditInput> {
  constructor(
    private readonly audit: OrganisationAudit,
    private readonly authors: Authors,
  ) {}

  async execute(input: Static<typeof GetAuditInput>, { shelf: { organisation } }: Scope, after?: Position) {
    const { entries, after: next } = await this.audit.find(organisation, {
      subjects: input.subjects,
      references: input.references,
      authors: input.created_by,
      operations: input.operations,
      from: input.mintime,
      to: input.maxtime,
      limit: input.limit ?? 50,
      after,
    });
    const ids = entries.map(({ author }) => author);
    const authors = await this.authors.find(organisation, ids);
    return pageOf(
      entries.map((entry) => auditEntryView(entry, authors)),
      next,
    );
  }
}
