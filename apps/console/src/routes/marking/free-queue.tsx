import { Alert, Anchor, Button, Checkbox, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { keyOf } from '../../operations/call';
import { numberOf } from '../../texts/texts';
import { Empty } from '../../ui/empty';
import { QueryFault } from '../../ui/loaded';
import { toast } from '../../ui/toast';
import { useAddress } from '../../ui/use-address';
import { Filters } from '../sessions/filters';
import { Desk } from './desk';
import { keyOfTarget, type Mark } from './marks';
import { type Entry, MAX_SHOWN, useQueue } from './queue';
import { RefusedMark } from './score-form';
import { useMarkingTexts } from './texts';
import { useKeys } from './use-keys';
import { useMarks } from './use-marks';

const LISTS = ['question', 'item', 'activity'] as const;

/** Marks any answers one after another, outside of rounds. */
export function FreeQueue() {
  const t = useMarkingTexts();
  const address = useAddress();
  const queue = useQueue(address);
  const { marks, waiting, refused, scoreOf, markOf } = useMarks(queue.readAt);
  const { entries } = queue;
  const [isOpen, setOpen] = useState(!queue.isChosen);
  const marked = entries.filter((entry) => scoreOf(entry) !== null).length;
  const isShown = (mark: Mark) => entries.some(({ key }) => key === keyOfTarget(mark));
  const shown = refused.filter(isShown);
  const first = shown[0];
  return (
    <Stack gap="md">
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary style={{ cursor: 'pointer' }}>{t('selection')}</summary>
        <Stack mt="xs">
          <Filters address={address} lists={LISTS} />
          <Options address={address} />
        </Stack>
      </details>
      <QueryFault query={queue} />
      {waiting > 1 || (waiting > 0 && !navigator.onLine) ? (
        <Alert color="yellow" role="status">
          <Group justify="space-between">
            <Text size="sm">{t('waiting', waiting)}</Text>
            <Button size="xs" variant="default" onClick={() => marks.retry()}>
              {t('send_now')}
            </Button>
          </Group>
        </Alert>
      ) : null}
      {first && keyOfTarget(first) !== address.get('at') && (
        <Alert color="red">
          <Anchor component="button" onClick={() => address.set({ at: keyOfTarget(first) })}>
            {t('refused_elsewhere', shown.length)}
          </Anchor>
        </Alert>
      )}
      {!queue.isLoading &&
        refused
          .filter((mark) => !isShown(mark))
          .map((mark) => <RefusedMark key={mark.id} mark={mark} dismiss={(id) => marks.dismiss(id)} />)}
      {queue.isLoading && (
        <Text size="sm" role="status">
          {t('loading', queue.sessions)}
        </Text>
      )}
      {queue.isCut && <Alert color="yellow">{t('too_many', numberOf(MAX_SHOWN))}</Alert>}
      {!queue.isChosen ? (
        <Empty title={t('choose')} help={t('choose_help')} />
      ) : entries.length === 0 ? (
        !queue.isLoading && !queue.error && <Empty title={t('nothing')} help={t('nothing_help')} />
      ) : (
        <Stack gap="xs">
          <Text fw={600} role="status">
            {t('progress', marked, entries.length)}
          </Text>
          <Progress value={(100 * marked) / entries.length} aria-label={t('progress', marked, entries.length)} />
          <Queue
            entries={entries}
            address={address}
            isDone={!queue.isLoading}
            marks={marks}
            scoreOf={scoreOf}
            markOf={markOf}
          />
        </Stack>
      )}
    </Stack>
  );
}

type Address = ReturnType<typeof useAddress>;

function Options({ address: { get, set } }: { address: Address }) {
  const t = useMarkingTexts();
  const box = (name: 'blind' | 'all' | 'automatic') => (
    <Checkbox
      label={t(name)}
      checked={get(name) === '1'}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.checked ? '1' : undefined }, true)}
    />
  );
  return (
    <Group gap="lg">
      <Group gap="xs">
        <Text size="sm" id="marking-order">
          {t('order')}
        </Text>
        <SegmentedControl
          aria-labelledby="marking-order"
          value={get('order') === 'learner' ? 'learner' : 'question'}
          onChange={(order) => set({ order: order === 'learner' ? order : undefined }, true)}
          data={[
            { value: 'question', label: t('order_question') },
            { value: 'learner', label: t('order_learner') },
          ]}
        />
      </Group>
      {box('blind')}
      {box('automatic')}
      {box('all')}
    </Group>
  );
}

interface QueueProps extends Pick<ReturnType<typeof useMarks>, 'marks' | 'scoreOf' | 'markOf'> {
  entries: readonly Entry[];
  address: Address;
  /** Whether the whole queue is loaded. */
  isDone: boolean;
}

function Queue({ entries, address: { get, set }, isDone, marks, scoreOf, markOf }: QueueProps) {
  const t = useMarkingTexts();
  const queries = useQueryClient();
  const given = useRef<{ key: string; before: number | null }[]>([]);
  const [fault, setFault] = useState<{ key: string; message: string } | null>(null);
  /** The answer that was marked last, which stays in view until the address names one. */
  const [lastMarked, setLastMarked] = useState<string>();
  const named = entries.findIndex(({ key }) => key === (get('at') || lastMarked));
  const open = entries.findIndex((entry) => scoreOf(entry) === null);
  const at = named >= 0 ? named : Math.max(open, 0);
  const entry = entries[at]!;
  const mark = markOf(entry);
  const refuse = (message: string) => setFault({ key: entry.key, message });
  const go = (key: string | undefined) => key !== undefined && set({ at: key }, true);

  useEffect(() => {
    if (isDone && get('at') !== entry.key) set({ at: entry.key }, true);
  });
  // Reads the author of a mark again once the mark is stored.
  useEffect(() => {
    if (mark?.status !== 'saved') return;
    const { session_id: id } = entry.session;
    void queries.invalidateQueries({ queryKey: [...keyOf('get sessions/responses'), 'one', id] });
    void queries.invalidateQueries({ queryKey: [...keyOf('get sessions/scores'), 'reasons', id] });
  }, [mark?.id, mark?.status, entry.session, queries]);

  function next(after: number, key?: string) {
    const order = [...entries.slice(after + 1), ...entries.slice(0, after)];
    const found = order.find((each) => each.key !== key && scoreOf(each) === null);
    if (found) go(found.key);
    else toast(t('all_done'));
  }

  function give(score: number) {
    if (score > entry.max) return refuse(t('above', numberOf(entry.max), numberOf(score)));
    if (score < 0) return refuse(t('below'));
    setFault(null);
    given.current.push({ key: entry.key, before: scoreOf(entry) });
    setLastMarked(entry.key);
    marks.give(targetOf(entry), score, entry.max);
    if (get('automatic') === '1') next(at, entry.key);
  }

  function undo() {
    const last = given.current.pop();
    const undone = entries.find(({ key }) => key === last?.key);
    if (!last || !undone) return;
    setFault(null);
    marks.give(targetOf(undone), last.before, undone.max);
    go(undone.key);
    toast(t('undone'));
  }

  function press(key: string): boolean {
    if (/^\d$/.test(key)) give(Number(key));
    else if (key === 'n') next(at);
    else if (key === 'p') go(entries[at - 1]?.key);
    else if (key === 'u') undo();
    else return false;
    return true;
  }
  useKeys(press);

  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{t('position', at + 1, entries.length)}</Text>
        <Group gap="xs">
          <Button variant="default" disabled={at === 0} onClick={() => press('p')}>
            {t('previous')}
          </Button>
          <Button variant="default" onClick={undo}>
            {t('undo')}
          </Button>
          <Button onClick={() => press('n')}>{t('next')}</Button>
        </Group>
      </Group>
      <Desk
        entry={entry}
        score={scoreOf(entry)}
        mark={mark}
        isBlind={get('blind') === '1'}
        fault={fault?.key === entry.key ? fault.message : null}
        give={give}
        refuse={refuse}
        dismiss={(id) => marks.dismiss(id)}
        pressed={press}
      />
      <Text size="sm" c="dimmed">
        {t('keys')}
      </Text>
    </Stack>
  );
}

const targetOf = ({ session: { session_id, user_id }, response: { response_id = '' } }: Entry) => ({
  session_id,
  user_id,
  response_id,
});
