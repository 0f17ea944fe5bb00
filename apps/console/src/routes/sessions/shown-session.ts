import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ShownItem, ShownWidget } from '../../frame/protocol';
import { batchesOf, call, keyOf, MAX_ENTRIES, type Output } from '../../operations/call';
import { columnsOf } from '../../frame/shown-items';

export type Session = Output<'get sessions/responses'>[number];
export type Response = Session['responses'][number];
export type Scores = NonNullable<Output<'get sessions/scores'>[number]['responses']>;
export type Reasons = NonNullable<Scores[number]['reasons']>;
type Question = NonNullable<Session['questions']>[number];
type Item = Output<'get itembank/items'>[number];
type Feature = Extract<Output<'get itembank/features'>, unknown[]>[number];

/** The members of a session that its questions need. Without a start, items have their current layout. */
export type Shown = Pick<Session, 'items' | 'responses' | 'questions'> & { dt_started?: string };

/** The layout of items and their features, by reference. */
export interface Layout {
  items: Map<string, Item>;
  features: Map<string, Feature>;
}

/**
 * The layout of the items when the session began. Scores do not depend on it. Leaves out content that no longer exists.
 */
export function useLayout(session: Shown | undefined) {
  const references = session?.items.flatMap(({ reference }) => reference ?? []) ?? [];
  return useQuery({
    queryKey: [...keyOf('get itembank/items'), 'layout', session?.dt_started, references],
    enabled: session !== undefined,
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<Layout> => {
      const as_of = session!.dt_started;
      const items: Item[] = [];
      for (const some of batchesOf(references))
        items.push(...(await call('get itembank/items', { references: some, as_of, limit: MAX_ENTRIES }, signal)).data);
      const wanted = [...new Set(items.flatMap(({ features }) => features.map(({ reference }) => reference)))];
      const features: Feature[] = [];
      for (const some of batchesOf(wanted)) {
        const { data } = await call('get itembank/features', { references: some, as_of, limit: MAX_ENTRIES }, signal);
        // A read by references returns a list.
        features.push(...(data as Feature[]));
      }
      return { items: byReference(items), features: byReference(features) };
    },
  });
}

const byReference = <T extends { reference: string }>(all: readonly T[]) =>
  new Map(all.map((each) => [each.reference, each]));

interface Wanted {
  layout: Layout | undefined;
  reasons?: readonly (Reasons | undefined)[];
  /** The right answers to show, by the place of their response. */
  right?: ReadonlyMap<string, unknown>;
  /** Shows only the answers, without scores and right answers. */
  isBare?: boolean;
  /** Only the responses at these places; absent: all. */
  only?: ReadonlySet<number>;
  heading?: (item: string) => string | undefined;
}

/** The questions and answers of a session, for the frame that shows content. */
export function shownItems(
  session: Shown,
  { layout, reasons, right, isBare = false, only, heading }: Wanted,
): ShownItem[] {
  const places = new Map<string, number[]>();
  for (const [at, { item_reference: item = '' }] of session.responses.entries())
    if (!only || only.has(at)) places.set(item, [...(places.get(item) ?? []), at]);
  return [...places].map(([item, its]) => {
    const widgets = new Map(
      its.flatMap((at): [string, ShownWidget][] => {
        const question = session.questions?.[at];
        if (!question?.data) return [];
        const widget = widgetOf(session.responses[at]!, question, reasons?.[at], right?.get(String(at)));
        return [[question.reference, isBare ? { ...widget, review: null } : widget]];
      }),
    );
    return { heading: heading ? heading(item) : item, columns: filledColumns(item, widgets, layout) };
  });
}

function widgetOf(response: Response, question: Question, reasons: Reasons | undefined, correct: unknown): ShownWidget {
  const data = question.data!;
  const parts = reasons?.review_parts;
  return {
    kind: 'question',
    reference: question.reference,
    data,
    value: response.response?.value ?? null,
    review: {
      score: response.score ?? null,
      maxScore: response.max_score ?? null,
      ...(parts ? { parts } : {}),
      ...(correct === undefined ? {} : { correct }),
    },
  };
}

/** The widgets in the columns of the item; a single column if the layout is unknown. */
function filledColumns(
  item: string,
  questions: ReadonlyMap<string, ShownWidget>,
  layout: Layout | undefined,
): ShownItem['columns'] {
  const left = new Map(questions);
  const definition = layout?.items.get(item)?.definition;
  const columns = (definition ? columnsOf(definition) : []).map(({ width, references }) => ({
    width,
    widgets: references.flatMap((reference): ShownWidget[] => {
      const question = left.get(reference);
      left.delete(reference);
      if (question) return [question];
      const feature = layout?.features.get(reference);
      return feature ? [{ kind: 'feature', reference, data: { ...feature.data, type: feature.type } }] : [];
    }),
  }));
  const filled = columns.filter(({ widgets }) => widgets.length > 0);
  if (left.size > 0) filled.push({ width: 100, widgets: [...left.values()] });
  return filled;
}

/** A session with its questions, and why its responses have their scores. */
export function useSession(id: string) {
  const session = useQuery({
    queryKey: [...keyOf('get sessions/responses'), 'one', id],
    queryFn: async ({ signal }) => {
      const include = { questions: true, sessions: { session_metadata: ['session_tags'] } };
      return (await call('get sessions/responses', { session_id: [id], include }, signal)).data[0] ?? null;
    },
  });
  const scores = useQuery({
    queryKey: [...keyOf('get sessions/scores'), 'reasons', id],
    queryFn: async ({ signal }) => {
      const { data } = await call('get sessions/scores', { session_id: [id], include: { reasons: true } }, signal);
      return data[0]?.responses ?? [];
    },
  });
  const reasons = useMemo(() => {
    const known = new Map(scores.data?.map(({ response_id, reasons: told }) => [response_id, told]));
    return session.data?.responses.map(({ response_id }) => known.get(response_id ?? ''));
  }, [scores.data, session.data]);
  return { session, scores, reasons };
}
