import { dirname, join } from 'node:path/posix';
import { type Tag } from '../entry';
import { type Note, note } from '../note';
import { type XmlElement } from '../xml';
import { baseOf } from './body';
import { decodedPath } from '../names';

/** What the manifest of a package says about a file. */
export interface Described {
  tags: readonly Tag[];
  notes: readonly Note[];
}

const MAX_TAG_LENGTH = 255;
/** Elements whose members are read. */
const DESCRIBING_ELEMENTS = new Set(['lom', 'general', 'classification', 'taxonPath', 'taxonpath', 'taxon']);
/** Elements that the item itself has, or that describe the file. */
const KNOWN_ELEMENTS = new Set([
  ...DESCRIBING_ELEMENTS,
  ...'title identifier language keyword purpose source entry lifeCycle lifecycle status metaMetadata metametadata technical'.split(
    ' ',
  ),
]);

/** The descriptions of the files of a package by their paths. */
export function describedIn(
  manifest: XmlElement,
  path: string,
  files: ReadonlySet<string>,
): ReadonlyMap<string, Described> {
  const described = new Map<string, Described>();
  for (const resources of manifest.all('resources'))
    for (const resource of resources.all('resource')) {
      const metadata = resource.first('metadata');
      const file = metadata && fileOf(resource, path, files);
      if (file !== undefined) described.set(file, descriptionOf(metadata!, path));
    }
  return described;
}

/** The file that a resource names, as it is written or decoded. */
function fileOf(resource: XmlElement, path: string, files: ReadonlySet<string>): string | undefined {
  const written = join(dirname(path), baseOf(resource), resource.attributes.href ?? '');
  return [written, decodedPath(written)].find((candidate) => files.has(candidate));
}

function descriptionOf(metadata: XmlElement, path: string): Described {
  const notes: Note[] = [];
  const tags: Tag[] = [];
  const add = (element: XmlElement, type: string, name: string): void => {
    const [short, shortName] = [type, name].map((text) => text.slice(0, MAX_TAG_LENGTH)) as [string, string];
    if (short === '' || shortName === '') return;
    if (short !== type || shortName !== name) notes.push(note('tag-changed', `${path}#${element.path}`, name));
    if (!tags.some((tag) => tag.type === short && tag.name === shortName)) tags.push({ type: short, name: shortName });
  };
  for (const element of metadata.below()) {
    if (element.name === 'keyword') add(element, 'keyword', plain(element));
    else if (element.name === 'taxonPath' || element.name === 'taxonpath')
      for (const entry of [...element.below()].filter(({ name }) => name === 'entry'))
        add(entry, plain(element.first('source')) || 'category', plain(entry));
    else if (element.name === 'labelledGUID')
      add(
        element,
        plain(element.first('label')) || 'standard',
        plain(element.first('GUID')) || plain(element.first('caseItemURI')),
      );
  }
  for (const { name: around, elements } of metadata.below())
    for (const element of DESCRIBING_ELEMENTS.has(around) ? elements : [])
      if (!KNOWN_ELEMENTS.has(element.name) && plain(element) !== '')
        notes.push(note('unknown-dropped', `${path}#${element.path}`, `${element.name}: ${plain(element)}`));
  return { tags, notes };
}

const plain = (element: XmlElement | undefined): string => element?.text.replace(/\s+/g, ' ').trim() ?? '';
