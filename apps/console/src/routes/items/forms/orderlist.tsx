import { Group, Stack, Text } from '@mantine/core';
import { Alternatives } from './alternatives';
import { type FormProps, listOf, moved, rightValueOf, textOf, withAnswers } from './data';
import { Feedback, RowButtons, Scoring, StimulusField } from './fields';
import { TextList } from './text-list';
import { useFormTexts } from './texts';

/**
 * Entries that learners put in order. The form shows them in the right order. The data has them in the order in which
 * learners get them, and the right order as positions in that list.
 */
export function OrderlistForm({ data, change }: FormProps) {
  const t = useFormTexts();
  const list = listOf<string>(data.list);
  const order = orderIn(list, rightValueOf(data));
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
      <Alternatives data={data} change={change} fresh={order}>
        {(value, setValue) => <Order list={list} value={value} change={setValue} />}
      </Alternatives>
      <Scoring
        data={data}
        change={change}
        types={['exactMatch', 'partialMatch', 'partialMatchV2', 'partialMatchPairwise']}
      />
      <Feedback data={data} change={change} />
    </Stack>
  );
}

/** The order of an accepted answer, as positions in the list. Entries that the answer does not have come last. */
function orderIn(list: readonly string[], answer: unknown): number[] {
  const known = listOf(answer)
    .map(Number)
    .filter((at) => at in list);
  return [...new Set([...known, ...list.keys()])];
}

interface OrderProps {
  list: readonly string[];
  /** An accepted answer. */
  value: unknown;
  change: (order: number[]) => void;
}

/** Entries that can only be moved. */
function Order({ list, value, change }: OrderProps) {
  const t = useFormTexts();
  const order = orderIn(list, value);
  return (
    <Stack component="ol" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
      {order.map((at, index) => {
        const name = textOf(list[at]) || t('entry', index + 1);
        return (
          <Group component="li" key={at} gap="xs" wrap="nowrap" justify="space-between">
            <Text className="wrap">{name}</Text>
            <RowButtons
              name={name}
              index={index}
              count={order.length}
              move={(from, to) => change(moved(order, from, to))}
            />
          </Group>
        );
      })}
    </Stack>
  );
}
