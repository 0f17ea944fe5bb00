import { settings } from '#platform';
import { type JsonSchema, plainSchema } from '../../apps/api/src/declaration/describe/json-schema';
import { table } from '../../apps/api/src/declaration/describe/markdown';
import { rowsOf } from '../../apps/api/src/declaration/describe/parameters';

/** The page of all settings, in Markdown. */
export function configurationPage(): string {
  // Each setting has its own default, or its description says what its absence means.
  const schema: JsonSchema = { ...plainSchema(settings), required: [] };
  return `${[
    '<!-- Derived from libs/platform/src/config/settings.ts by `npm run derive`. -->',
    '# Configuration',
    'Settings are environment variables, read once at start. Without any of them the service runs on an embedded database. ' +
      'An empty setting counts as absent. An invalid one stops the start, with a message that names it.',
    table(
      ['Setting', 'Default', 'Allowed', 'Meaning'],
      rowsOf(schema).map(({ name, type, default: byDefault, limits, description }) => [
        name,
        byDefault,
        limits || type,
        description,
      ]),
    ),
  ].join('\n\n')}\n`;
}
