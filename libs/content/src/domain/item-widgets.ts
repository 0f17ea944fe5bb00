import { Fault, place } from '#kernel';
import { type WidgetMention } from './item';
import { type Kind } from './record';

/** What is known of a question or feature that an item names. */
interface Widget {
  id: string;
  kind: Kind;
  type: string | null;
}

/** A widget as an item lists it. */
type Listed = { reference: string; type: string | null };

/** The widgets that an item names: in its lists, where there are any, and in its definition. */
interface Named {
  questions?: readonly string[];
  features?: readonly string[];
  shown: readonly WidgetMention[];
}

/**
 * An item's questions and features as reads list them, and the ids of both. Each widget goes where its kind says.
 *
 * @param widgets those that exist, by reference.
 * @throws Fault 30001 for one that does not exist, 20004 for one that is shown but missing in the list of its kind.
 */
export function itemWidgets(
  named: Named,
  widgets: ReadonlyMap<string, Widget>,
  at: string,
): { questions: Listed[]; features: Listed[]; held: string[] } {
  const find = (reference: string, mentionedAt: string): Widget => {
    const widget = widgets.get(reference);
    if (widget) return widget;
    throw new Fault(
      'reference-unknown',
      `${place(mentionedAt)}: there is no question or feature ${JSON.stringify(reference)}; set it first.`,
      mentionedAt,
    );
  };
  const all = new Map<string, Widget>();
  for (const list of ['questions', 'features'] as const)
    for (const [index, reference] of (named[list] ?? []).entries())
      if (!all.has(reference)) all.set(reference, find(reference, `${at}/${list}/${index}`));
  const listed = new Set(all.keys());
  for (const { reference, at: shownAt } of named.shown) {
    const widget = find(reference, shownAt);
    const list = widget.kind === 'question' ? 'questions' : 'features';
    if (named[list] && !listed.has(reference))
      throw new Fault(
        'value',
        `${place(shownAt)}: ${JSON.stringify(reference)} is a ${widget.kind} that the item's ${list} do not list; add it there, or leave ${list} out.`,
        shownAt,
      );
    all.set(reference, widget);
  }
  const entries = [...all];
  const ofKind = (kind: Kind): Listed[] =>
    entries.filter(([, widget]) => widget.kind === kind).map(([reference, { type }]) => ({ reference, type }));
  return { questions: ofKind('question'), features: ofKind('feature'), held: entries.map(([, { id }]) => id) };
}
