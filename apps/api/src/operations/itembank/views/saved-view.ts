import { type Static, Type } from '@sinclair/typebox';
import { type SavedView as StoredView } from '#people';
import { integer, jsonObject, nullable, text } from '../../../declaration/fields';
import { resource } from '../../../declaration/outputs';

export const SavedView = resource('SavedView', 'Filters of a list under a name.', {
  reference: text({ description: 'Identifies the view in its organisation.' }),
  screen: text({ description: 'The list that the view filters.' }),
  name: text({ description: 'Name of the view, for people.' }),
  shared: Type.Boolean({ description: 'Whether everybody of the organisation sees it.' }),
  owner: nullable(
    text({
      description:
        'Id of its author. Null when the account of the author was removed, is disabled, or has no role in the organisation; then anybody may replace or delete the view.',
    }),
  ),
  address: jsonObject('Filters, order and columns.'),
  revision: integer({ description: 'Number of the revision, for `if_revision`.' }),
});

export function savedView({
  reference,
  screen,
  name,
  isShared,
  owner,
  address,
  updatedAt,
}: StoredView): Static<typeof SavedView> {
  const filters = JSON.parse(address) as Record<string, unknown>;
  return { reference, screen, name, shared: isShared, owner, address: filters, revision: updatedAt };
}
