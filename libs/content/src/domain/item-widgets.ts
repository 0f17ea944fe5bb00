import { Faults, place } from '#kernel';
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
 * @throws Fault with each that does not exist (30001), or is shown but missing in the list of its kind (20004).
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
