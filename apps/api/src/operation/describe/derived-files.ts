import { descriptionSchema } from '../../../../cli/src/provision/description';
import { sessionDocumentSchema } from '../../operations/sessions/session-document';
import { configurationPage } from './configuration-page';
import { openApiDocument } from './openapi';
import { operationsPage } from './operations-page';

export interface DerivedFile {
  /** From the root of the repository. */
  path: string;
  text: string;
}

/** The documents that are derived from the code and committed with it. */
export function derivedFiles(): DerivedFile[] {
  return [
    { path: 'docs/openapi.json', text: `${JSON.stringify(openApiDocument(), null, 2)}\n` },
    { path: 'docs/operations.md', text: operationsPage() },
    { path: 'docs/configuration.md', text: configurationPage() },
    { path: 'docs/provision.schema.json', text: descriptionSchema() },
    { path: 'docs/session-document.schema.json', text: sessionDocumentSchema() },
  ];
}
