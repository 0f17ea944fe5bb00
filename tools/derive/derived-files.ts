import { allOperations } from '../../apps/api/src/declaration/describe/all-operations';
import { openApiDocument } from '../../apps/api/src/declaration/describe/openapi';
import { operationsPage } from '../../apps/api/src/declaration/describe/operations-page';
import { sessionDocumentSchema } from '../../apps/api/src/operations/sessions/session-document';
import { descriptionSchema } from '../../apps/cli/src/provision/description';
import { configurationPage } from './configuration-page';
import { consoleSchemas } from './console-schemas';
import { consoleTypes } from './console-types';
import { formatsPage } from './formats-page';

interface DerivedFile {
  /** From the root of the repository. */
  path: string;
  text: string;
}

/** The committed files that are derived from the code. */
export function derivedFiles(): DerivedFile[] {
  return [
    { path: 'docs/openapi.json', text: json(openApiDocument()) },
    { path: 'apps/cli/src/operations.json', text: json(operationList()) },
    { path: 'apps/console/src/operations/operations.ts', text: consoleTypes() },
    { path: 'apps/console/src/operations/schemas.ts', text: consoleSchemas() },
    { path: 'docs/operations.md', text: operationsPage() },
    { path: 'docs/formats.md', text: formatsPage() },
    { path: 'docs/configuration.md', text: configurationPage() },
    { path: 'docs/provision.schema.json', text: descriptionSchema() },
    { path: 'docs/session-document.schema.json', text: sessionDocumentSchema() },
  ];
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The operations that the command line lists. */
function operationList(): object[] {
  return allOperations().map(({ path, action, when, beyond, declaration }) => ({
    path,
    action,
    when,
    beyond,
    summary: declaration.summary,
  }));
}
