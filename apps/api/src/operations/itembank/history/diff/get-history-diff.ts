import { Type, type Static } from '@sinclair/typebox';

import { type Scope } from '#kernel';
import { History } from '#content';
import { optional, text, words } from '../../../../declaration/fields';
import { bank, revision } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { resource } from '../../../../declaration/outputs';
import { kind } from '../kind';

const GetHistoryDiffInput = Type.Object({
  ...bank,
  kind: kind(),
  reference: text({ min: 1, max: 150, description: 'Reference that the record has now.' }),
  from: revision('Revision to begin with.'),
  to: optional(revision('Revision to compare with; default: the current one.')),
});

const PatchOperation = resource('PatchOperation', 'A step of a JSON Patch (RFC 6902).', {
  op: words(['add', 'remove', 'replace', 'move', 'copy', 'test'], { description: 'What is done.' }),
  path: text('Where, as a JSON pointer.'),
  value: optional(Type.Unknown({ description: 'The added or replacing value.' })),
});

@operation({
  path: 'itembank/history/diff',
  action: 'get',
  summary: 'Reads the changes from one revision of a record to another, as JSON Patch (RFC 6902).',
  example: { kind: 'item', reference: 'capitals', from: 1767322984000 },
  input: GetHistoryDiffInput,
  output: Type.Array(PatchOperation),
})
export class GetHistoryDiff implements Operation<typeof GetHistoryDiffInput> {
  constructor(private readonly history: History) {}

  async execute(input: Static<typeof GetHistoryDiffInput>, { shelf }: Scope) {
    const { kind, reference, from, to } = input;
    const patch: Static<typeof PatchOperation>[] = await this.history.diff(
      shelf.organisation,
      kind,
      reference,
      from,
      to,
    );
    return { data: JSON.stringify(patch), records: patch.length };
  }
}
