import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Fault, type Position, type Scope } from '#kernel';
import { type WidgetKind, type Widgets } from '#content';
import { jsonObject, nullable, optional, references, text, widgetReference } from '../../declaration/fields';
import { ifRevision, include, paging, past, shelf, sorting, times } from '../../declaration/inputs';
import { type Result } from '../../declaration/operation';
import { keyedPage, page, written } from '../../declaration/results';
import { orderOf } from '../record-query';
import { WIDGET_EXTRAS, widgetView } from './widget-view';

/* Shared by the operations on questions and on features, which are two kinds of widgets. */

export function getWidgetsInput<const K extends string>(member: K) {
  return Type.Object({
    ...shelf,
    ...past,
    ...paging,
    ...sorting(['created', 'updated']),
    ...times,
    ...include(member, WIDGET_EXTRAS),
    references: optional(references(`References of ${member}.`)),
    item_references: optional(
      references(
        `References of items; the answer is then an object keyed by item reference, paged by the ${member} in it.`,
      ),
    ),
    types: optional(Type.Array(text(), { maxItems: 1000, description: 'Type codes.' })),
    content_search: optional(
      text({ min: 1, max: 255, description: 'Text that the definition contains; needs another filter beside it.' }),
    ),
  });
}

/** A list, or lists by item reference. */
export const foundWidgets = <T extends TSchema>(widget: T) =>
  Type.Union([Type.Array(widget), Type.Record(Type.String(), Type.Array(widget))]);

export async function getWidgets(
  widgets: Widgets,
  kind: WidgetKind,
  input: Static<ReturnType<typeof getWidgetsInput>>,
  included: readonly string[] | undefined,
  shelf: Scope['shelf'],
  after?: Position,
): Promise<Result> {
  if (input.content_search !== undefined && !input.references && !input.item_references && !input.types)
    throw new Fault(
      'missing',
      'content_search needs another filter beside it: references, item_references or types.',
      '/content_search',
    );
  const query = {
    kind,
    references: input.references,
    types: input.types,
    contains: input.content_search,
    ...orderOf(input),
    after,
  };
  const extras = new Set(included);
  if (input.item_references) {
    const { entries, after: next } = await widgets.findByItem(shelf, query, input.item_references);
    return keyedPage(
      entries.map(({ holder, record }) => ({ key: holder, record: widgetView(record, kind, extras) })),
      next,
    );
  }
  const { entries, after: next } = await widgets.find(shelf, query);
  return page(
    entries.map((record) => widgetView(record, kind, extras)),
    next,
  );
}

/** The entries of the operations that set widgets. */
export const widgetEntries = () => Type.Array(WidgetEntry, { maxItems: 50, description: 'The entries to write.' });

const WidgetEntry = Type.Object({
  reference: widgetReference(),
  type: text({ min: 1, max: 64, description: 'Type code, such as `mcq`.' }),
  data: jsonObject('Definition of the question or feature; markup that could run scripts is removed.'),
  metadata: optional(nullable(jsonObject('`name` and `template_reference`.'))),
  if_revision: ifRevision(),
});

export async function setWidgets(
  widgets: Widgets,
  kind: WidgetKind,
  inputs: Static<typeof WidgetEntry>[],
  scope: Scope,
): Promise<Result> {
  const done = await widgets.set(
    kind,
    inputs.map(({ reference, type, data, metadata, if_revision: ifRevision }) => ({
      reference,
      type,
      data,
      metadata,
      ifRevision,
    })),
    scope,
  );
  return written(done);
}
