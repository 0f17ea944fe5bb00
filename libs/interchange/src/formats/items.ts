import { createHash } from 'node:crypto';
import { type Asset, type Entry, type ItemRecord, type Original, type Tag, type Widget } from './entry';
import { referenceFrom } from './names';
import { type Note, note } from './note';
import { type Built, rationale, withMath } from './questions';

const MAX_TITLE_LENGTH = 255;
const MAX_TAG_LENGTH = 255;

/** The title that a record gets from the source; none if it is empty. */
export function titleFrom(text: string, noteCut: (was: string) => void): { title?: string } {
  const whole = text.trim();
  if (whole.length > MAX_TITLE_LENGTH) noteCut(whole);
  // The cut must not leave half of a character.
  const title = whole.slice(0, MAX_TITLE_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
  return title === '' ? {} : { title };
}

/** The references of a source's entries, each given once. */
export class References {
  private readonly taken = new Set<string>();

  /** A name that another entry has already gets a hash of the place, and a note. */
  free(name: string, source: string): { reference: string; notes: Note[] } {
    const wanted = referenceFrom(name);
    if (!this.taken.has(wanted)) {
      this.taken.add(wanted);
      return { reference: wanted, notes: [] };
    }
    const reference = `${wanted}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}`;
    this.taken.add(reference);
    return { reference, notes: [note('reference-changed', source, `${name} became ${reference}`)] };
  }
}

export interface ItemParts {
  source: string;
  reference: string;
  title?: string;
  built: readonly Built[];
  tags?: readonly Tag[];
  /** Feedback of the whole question, as HTML. */
  general?: string;
  notes?: readonly Note[];
  assets?: readonly Asset[];
  /** Further members of the record. */
  record?: Partial<ItemRecord>;
  original?: Original;
}

/** An item of these questions. Passages among them become features. */
export function itemEntry({
  source,
  reference,
  title = '',
  built,
  tags = [],
  general = '',
  notes = [],
  assets = [],
  record,
  original,
}: ItemParts): Entry {
  const widgets = built.map(({ data }, index): Widget => {
    const complete = withMath(index === 0 ? withGeneral(data, general) : data);
    return { reference: `${reference}_${index + 1}`, type: data.type, data: complete };
  });
  const features = widgets.filter(({ type }) => type === 'sharedpassage').map((widget) => widget.reference);
  const changed: Note[] = [];
  const shown = titleFrom(title, (was) => changed.push(note('title-changed', source, was)));
  return {
    source,
    reference,
    record: {
      kind: 'item',
      ...shown,
      ...record,
      widgets,
      ...(features.length > 0 && { features }),
      ...(tags.length > 0 && { tags: tags.map(({ type, name }) => ({ type, name: name.slice(0, MAX_TAG_LENGTH) })) }),
    },
    notes: [
      ...notes,
      ...changed,
      ...built.flatMap((each) => each.notes.map(([code, was]) => note(code, source, was))),
      ...tags.filter(({ name }) => name.length > MAX_TAG_LENGTH).map(({ name }) => note('tag-changed', source, name)),
    ],
    assets: [...assets],
    ...(original && { original }),
  };
}

/** An entry that is not imported, with the reason. */
export const refusedEntry = (
  source: string,
  reference: string,
  code: 'entry-unreadable' | 'entry-unsupported',
  was: string,
  notes: readonly Note[] = [],
): Entry => ({ source, reference, record: null, notes: [...notes, note(code, source, was)], assets: [] });

function withGeneral(data: Built['data'], general: string): Built['data'] {
  if (general === '') return data;
  const { metadata } = rationale([], general);
  return { ...data, metadata: { ...(data.metadata as object | undefined), ...(metadata as object) } };
}

/** A category of Moodle as a tag: `$course$/top/A/B`. */
export function categoryTag(path: string): Tag | undefined {
  const name = path.trim().replace(/^\$\w+\$\/(top\/?)?/, '');
  return name === '' ? undefined : { type: 'category', name };
}
