import { Type, type Static } from '@sinclair/typebox';

import { Exports, WRITERS } from '#interchange';
import { type Scope } from '#kernel';
import { optional, references, words } from '../../../declaration/fields';
import { meta, past, shelf } from '../../../declaration/inputs';
import { type Operation, operation } from '../../../declaration/operation';
import { advancedTagFilter, tagFilter } from '../../../declaration/tag-fields';
import { tagQueryOf } from '../../record-query';
import { StartedJob, startedJob } from '../../jobs/started-job';

const SetExportsInput = Type.Object({
  ...shelf,
  ...past,
  ...meta,
  format: optional(
    words(
      WRITERS.map(({ name }) => name),
      { default: 'ndjson', description: 'Format of the package.' },
    ),
  ),
  references: optional(references('Items to export, with their questions and features.')),
  activity_references: optional(references('Activities to export.')),
  tags: tagFilter(),
  advanced_tags: advancedTagFilter(),
});

@operation({
  path: 'itembank/exports',
  action: 'set',
  right: 'primary-or-write',
  summary:
    'Starts a job that writes items and activities to a package: the named ones, those that carry the tags, or all.',
  example: { tags: [{ type: 'Subject', name: 'Geography' }] },
  input: SetExportsInput,
  output: StartedJob,
})
export class SetExports implements Operation<typeof SetExportsInput> {
  constructor(private readonly exports: Exports) {}

  async execute(input: Static<typeof SetExportsInput>, scope: Scope) {
    const { format = 'ndjson', references: items, activity_references: activities, item_pool_id: pool } = input;
    const selection = { items, activities, tags: tagQueryOf(input) };
    return startedJob(await this.exports.start({ format, selection, pool }, scope));
  }
}
