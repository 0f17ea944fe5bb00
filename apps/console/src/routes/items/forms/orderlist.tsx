import { Stack, Text } from '@mantine/core';
import { type FormProps, listOf, rightValueOf, textOf, withAnswers } from './data';
import { Feedback, Scoring, StimulusField } from './fields';
import { TextList } from './text-list';
import { useFormTexts } from './texts';

/**
 * Entries that learners put in order. The form shows them in the right order. The data has them in the order in which
 * learners get them, and the right order as positions in that list.
 */
export function OrderlistForm({ data, change }: FormProps) {
  const t = useFormTexts();
  const list = listOf<string>(data.list);
  const stored = listOf<number | string>(rightValueOf(data)).map(Number);
  const isWhole =
    stored.length === list.length && new Set(stored).size === list.length && stored.every((at) => at in list);
  const order = isWhole ? stored : list.map((_, index) => index);
  const entries = order.map((at) => textOf(list[at]));

  function set(texts: string[], from: number[]) {
    // Entries keep the place in which learners get them; new ones come last.
    const kept = from.map((index) => (index < 0 ? undefined : order[index]!));
    const places = [...kept.filter((at) => at !== undefined)].sort((a, b) => a - b);
    let last = places.length;
    const value = kept.map((at) => (at === undefined ? last++ : places.indexOf(at)));
    const next: string[] = [];
    value.forEach((at, index) => (next[at] = texts[index]!));
    const added = next.flatMap((_, at) => (at < places.length ? [] : [at]));
    const others = (answer: unknown[]) => [
      ...answer.map((at) => places.indexOf(Number(at))).filter((at) => at >= 0),
      ...added,
    ];
    change(withAnswers({ ...data, list: next }, (answer, at) => (at === 0 ? value : others(answer))));
  }

  return (
    <Stack>
      <StimulusField data={data} change={change} />
      <Text size="sm">{t('order_help')}</Text>
      <TextList
        legend={t('entries')}
        nameOf={(number) => t('entry', number)}
        add={t('add_entry')}
        list={entries}
        min={2}
        change={set}
      />
      <Scoring
        data={data}
        change={change}
        types={['exactMatch', 'partialMatch', 'partialMatchV2', 'partialMatchPairwise']}
      />
      <Feedback data={data} change={change} />
    </Stack>
  );
}
