import { Type, type Static } from '@sinclair/typebox';

import { Fault, type Scope } from '#kernel';
import { Restoration, type Restored } from '#content';
import { optional, text } from '../../../../declaration/fields';
import { bank, ifRevision, meta, revision } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { written } from '../../../../declaration/results';

const Entry = Type.Object({
  reference: text({ min: 1, max: 150, description: 'Reference that the record has now.' }),
  revision: revision('Revision to make current again.'),
  if_revision: ifRevision(),
});

const MAX_ENTRIES = 50;

const entries = (what: string) =>
  optional(
    Type.Array(Entry, {
      maxItems: MAX_ENTRIES,
      description: `${what} to restore; at most ${MAX_ENTRIES} of all kinds.`,
    }),
  );

const RestoreHistoryInput = Type.Object({
  ...bank,
  ...meta,
  items: entries('Items'),
  questions: entries('Questions'),
  features: entries('Features'),
  activities: entries('Activities'),
});

@operation({
  path: 'itembank/history/restore',
  action: 'set',
  summary: 'Makes old revisions current again, each as a new revision of its record.',
  example: { items: [{ reference: 'capitals', revision: 1767322984000 }] },
  input: RestoreHistoryInput,
  output: Type.Array(Type.Never()),
})
export class RestoreHistory implements Operation<typeof RestoreHistoryInput> {
  constructor(private readonly restoration: Restoration) {}

  async execute(input: Static<typeof RestoreHistoryInput>, scope: Scope) {
    const wanted = {
      item: restored(input.items),
      question: restored(input.questions),
      feature: restored(input.features),
      activity: restored(input.activities),
    };
    const count = Object.values(wanted).reduce((sum, list) => sum + list.length, 0);
    if (count > MAX_ENTRIES)
      throw new Fault(
        'too-many',
        `A request restores at most ${MAX_ENTRIES} records of all kinds; these are ${count}.`,
        '',
      );
    const given = [input.items, input.questions, input.features, input.activities];
    if (given.every((list) => list === undefined))
      throw new Fault('missing', 'Give what to restore in items, questions, features or activities.', '/items');
    return written(await this.restoration.restore(wanted, scope));
  }
}

function restored(list: readonly Static<typeof Entry>[] = []): Restored[] {
  return list.map(({ reference, revision, if_revision: ifRevision }) => ({ reference, revision, ifRevision }));
}
