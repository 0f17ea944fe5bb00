import { xmlElement, xmlText } from '../../xml-writing';
import { type Tag } from '../../entry';
import { type Vocabulary } from './vocabulary';

export interface Resource {
  identifier: string;
  type: string;
  path: string;
  /** Identifiers of the resources that it uses. */
  uses: readonly string[];
  metadata?: { title?: string; tags: readonly Tag[]; status?: string };
}

/** A path as the address that names it. */
export const hrefOf = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

const LOM = 'http://ltsc.ieee.org/xsd/LOM';

/** The states of items by the names of LOM. */
const STATES: Readonly<Record<string, string>> = { published: 'final', unpublished: 'draft', archived: 'unavailable' };

/** The manifest of a package, part by part. */
export async function* manifestOf(v: Vocabulary, resources: readonly Resource[]): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<manifest xmlns="${v.packaging}" xmlns:lom="${LOM}" identifier="MANIFEST">`;
  yield xmlElement(
    'metadata',
    {},
    xmlElement('schema', {}, v.schema),
    xmlElement('schemaversion', {}, v.schemaVersion),
  );
  yield '<organizations/>\n<resources>\n';
  for (const { identifier, type, path, uses, metadata } of resources)
    yield `${xmlElement(
      'resource',
      { identifier, type, href: hrefOf(path) },
      metadata ? metadataOf(metadata) : '',
      xmlElement('file', { href: hrefOf(path) }),
      ...uses.map((identifierref) => xmlElement('dependency', { identifierref })),
    )}\n`;
  yield '</resources></manifest>\n';
}

const text = (value: string): string => xmlElement('lom:string', {}, xmlText(value));
const vocabularyTerm = (source: string, value: string): string =>
  xmlElement('lom:source', {}, source) + xmlElement('lom:value', {}, value);

/** Title, status and tags, as learning object metadata has them. */
function metadataOf({ title, tags, status }: NonNullable<Resource['metadata']>): string {
  const parts = [
    title === undefined ? '' : xmlElement('lom:general', {}, xmlElement('lom:title', {}, text(title))),
    status === undefined || STATES[status] === undefined
      ? ''
      : xmlElement('lom:lifeCycle', {}, xmlElement('lom:status', {}, vocabularyTerm('LOMv1.0', STATES[status]))),
    ...tags.map(({ type, name }) =>
      xmlElement(
        'lom:classification',
        {},
        xmlElement('lom:purpose', {}, vocabularyTerm('LOMv1.0', 'discipline')),
        xmlElement(
          'lom:taxonPath',
          {},
          xmlElement('lom:source', {}, text(type)),
          xmlElement('lom:taxon', {}, xmlElement('lom:entry', {}, text(name))),
        ),
      ),
    ),
  ];
  const written = parts.join('');
  return written === '' ? '' : xmlElement('metadata', {}, xmlElement('lom:lom', {}, written));
}
