import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { type Scope } from '#kernel';
import { type Duplication, type WidgetKind } from '#content';
import { flag, reference } from '../../declaration/fields';
import { bank, meta } from '../../declaration/inputs';
import { type Result } from '../../declaration/operation';
import { keyedObject } from '../../declaration/results';
import { widgetView } from './widget-view';

/* Shared by the operations that copy the questions and the features of items. */

export function duplicateWidgetsInput(kind: WidgetKind) {
  return Type.Object({
    ...bank,
    ...meta,
    item_references: Type.Array(reference('Reference of an item.'), {
      maxItems: 50,
      description: `The items whose ${kind}s are copied, each once. A ${kind} of several of them is copied once.`,
    }),
    duplicate_shared_passages: flag(
      kind === 'feature'
        ? 'Whether shared passages are copied too; otherwise they are left out.'
        : 'Without effect, because questions are never shared passages.',
    ),
  });
}

/** By item and source widget. */
export const copiedWidgets = <T extends TSchema>(widget: T) =>
  Type.Record(Type.String(), Type.Record(Type.String(), widget));

const NOTHING_MORE = new Set<string>();

export async function duplicateWidgets(
  duplication: Duplication,
  kind: WidgetKind,
  input: Static<ReturnType<typeof duplicateWidgetsInput>>,
  scope: Scope,
): Promise<Result> {
  const items = await duplication.widgets(
    kind,
    input.item_references,
    { sharedPassages: input.duplicate_shared_passages ?? false },
    scope,
  );
  const entries = [...items].map(([key, copies]) => ({
    key,
    record: keyedObject(
      [...copies].map(([source, copy]) => ({ key: source, record: widgetView(copy, kind, NOTHING_MORE) })),
    ),
  }));
  return { data: keyedObject(entries), records: [...items.values()].reduce((sum, { size }) => sum + size, 0) };
}
