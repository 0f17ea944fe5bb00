import { Faults, place } from '#kernel';
import { type WidgetMention } from './item';
import { type Kind } from './record';
import { type Warning } from './warning';

/** A question or feature that an item names. */
interface Widget {
  id: string;
  kind: Kind;
  type: string | null;
}

/** A widget as an item lists it. */
type Listed = { reference: string; type: string | null };

/** The widgets in an item's lists, if it has lists. */
interface Lists {
  questions?: readonly string[];
  features?: readonly string[];
}

/** The widgets in an item's lists and in its definition. */
interface Named extends Lists {
  shown: readonly WidgetMention[];
}

/**
 * An item's questions and features as reads list them, and the ids of both. The kind of each widget decides its list.
 *
 * @param widgets existing widgets by reference.
 * @throws Fault with each widget that does not exist (30001), or is shown but missing in the list of its kind (20004).
 */
export function itemWidgets(
  named: Named,
  widgets: ReadonlyMap<string, Widget>,
  at: string,
): { questions: Listed[]; features: Listed[]; held: string[] } {
  const faults = new Faults();
  const find = (reference: string, mentionedAt: string): Widget | undefined => {
    const widget = widgets.get(reference);
    if (!widget)
      faults.add(
        'reference-unknown',
        `${place(mentionedAt)}: there is no question or feature ${JSON.stringify(reference)}; set it first.`,
        mentionedAt,
      );
    return widget;
  };
  const all = new Map<string, Widget>();
  for (const list of ['questions', 'features'] as const)
    for (const [index, reference] of (named[list] ?? []).entries()) {
      const widget = find(reference, `${at}/${list}/${index}`);
      if (widget) all.set(reference, widget);
    }
  const listed = new Set(all.keys());
  for (const { reference, at: shownAt } of named.shown) {
    const widget = find(reference, shownAt);
    if (!widget) continue;
    const list = widget.kind === 'question' ? 'questions' : 'features';
    if (named[list] && !listed.has(reference))
      faults.add(
        'value',
        `${place(shownAt)}: ${JSON.stringify(reference)} is a ${widget.kind} that the item's ${list} do not list; add it there, or leave ${list} out.`,
        shownAt,
      );
    all.set(reference, widget);
  }
  faults.throwAny();
  const entries = [...all];
  const ofKind = (kind: Kind): Listed[] =>
    entries.filter(([, widget]) => widget.kind === kind).map(([reference, { type }]) => ({ reference, type }));
  return { questions: ofKind('question'), features: ofKind('feature'), held: entries.map(([, { id }]) => id) };
}

/** Warnings about questions that an item lists but its definition does not show. */
export function layoutWarnings(
  named: Lists,
  shown: readonly WidgetMention[],
  widgets: ReadonlyMap<string, Widget>,
  at: string,
): Warning[] {
  const inLayout = new Set(shown.map(({ reference }) => reference));
  return (['questions', 'features'] as const).flatMap((list) =>
    (named[list] ?? []).flatMap((reference, index): Warning[] => {
      if (inLayout.has(reference) || widgets.get(reference)?.kind !== 'question') return [];
      const listedAt = `${at}/${list}/${index}`;
      const message = `${place(listedAt)}: the definition does not show ${JSON.stringify(reference)}, so that learners cannot reach the highest score of the item; add it to the widgets of the definition.`;
      return [{ rule: 'not-in-layout', at: listedAt, message }];
    }),
  );
}
