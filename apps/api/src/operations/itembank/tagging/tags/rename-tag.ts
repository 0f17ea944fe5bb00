import { Type, type Static } from '@sinclair/typebox';

import { TagRenaming } from '#content';
import { type Scope } from '#kernel';
import { Pools } from '#pools';
import { TagRenames, type TagReplacement } from '#tagging';
import { flag, integer, optional, text } from '../../../../declaration/fields';
import { bank, ifRevision, meta } from '../../../../declaration/inputs';
import { type Operation, operation } from '../../../../declaration/operation';
import { resource } from '../../../../declaration/outputs';
import { tagText } from '../../../../declaration/tag-fields';

const RenameTagInput = Type.Object({
  ...bank,
  ...meta,
  type: tagText('Type of the tag; ignores case.'),
  name: tagText('Present name of the tag; ignores case.'),
  new_name: tagText('New name. If the type has a tag of this name, the two are merged.'),
  dry_run: flag('Whether to count the effects only, without changing anything.'),
  if_revision: ifRevision(),
});

const TagName = Type.Object({ type: text('Type of the tag.'), name: text('Name of the tag.') });

const RenamedTag = resource('RenamedTag', 'What a rename of a tag changes.', {
  tag: { ...TagName, description: 'The tag that is replaced.' },
  successor: { ...TagName, description: 'The tag that replaces it.' },
  merges: Type.Boolean({ description: 'Whether the tag that replaces it exists already.' }),
  items: integer('Items that carry the tag; each gets a revision.'),
  activities: integer('Activities that carry the tag; each gets a revision.'),
  pools: integer('Item pools that hold such content. They keep the old name until they are filled again.'),
  hierarchies: Type.Array(text(), { description: 'References of the hierarchies with this type; their paths change.' }),
  job_reference: optional(text('Reference of the job that replaces the tag; absent for a dry run.')),
});

@operation({
  path: 'itembank/tagging/tags',
  action: 'update',
  summary: 'Renames a tag, or merges it into another one, and starts the job that changes the content.',
  example: { type: 'Subject', name: 'Geografy', new_name: 'Geography', dry_run: true },
  input: RenameTagInput,
  output: RenamedTag,
})
export class RenameTag implements Operation<typeof RenameTagInput> {
  constructor(
    private readonly renames: TagRenames,
    private readonly renaming: TagRenaming,
    private readonly pools: Pools,
  ) {}

  async execute(input: Static<typeof RenameTagInput>, scope: Scope) {
    const { type, name, new_name: newName, if_revision: ifRevision } = input;
    const rename = { type, name, newName, ifRevision };
    const { organisation } = scope.shelf;
    const { id, ...replacement } = await this.renames.preview(rename, organisation);
    const pools = (await this.pools.tagged(organisation, [id])).get(id) ?? 0;
    const job = input.dry_run ? undefined : await this.renaming.start(rename, scope);
    return { data: JSON.stringify(renamedView({ ...replacement, pools }, job)) };
  }
}

const renamedView = (
  replacement: Omit<TagReplacement, 'id'> & { pools: number },
  job: string | undefined,
): Static<typeof RenamedTag> => ({ ...replacement, job_reference: job });
