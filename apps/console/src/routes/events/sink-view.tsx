import { Button, Divider, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConfirmed } from '../../session/confirm';
import { dateOf, numberOf } from '../../texts/texts';
import { Ask } from '../../ui/dialog';
import { type Fact, FactTable } from '../../ui/fact-table';
import { FaultAlert } from '../../ui/fault-alert';
import { Loaded } from '../../ui/loaded';
import { Scrolled } from '../../ui/scrolled';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { deadQuery, failedQuery, keyOf, redeliver, remove, setPaused, type Sink } from './events';
import { useEventTexts, useKindName } from './texts';

interface SinkProps {
  organisation: number;
  sink: Sink;
}

/** One receiver: its state and pause, dead deliveries, failed attempts, and its removal. */
export function SinkView({ organisation, sink, closed }: SinkProps & { closed: () => void }) {
  return (
    <Stack>
      <Facts sink={sink} />
      <Pause organisation={organisation} sink={sink} />
      <Divider />
      <Dead organisation={organisation} sink={sink} />
      <Divider />
      <Failed organisation={organisation} sink={sink} />
      <Divider />
      <Removal organisation={organisation} sink={sink} closed={closed} />
    </Stack>
  );
}

function Facts({ sink }: { sink: Sink }) {
  const t = useEventTexts();
  const kindName = useKindName();
  const stateOf = ({ paused_at: paused, failing_since: failing }: Sink) => {
    if (paused !== null) return t('paused_since', dateOf(paused));
    return failing === null ? t('works') : t('unreachable_since', dateOf(failing));
  };
  const rows: Fact[] = [
    [t('type'), t(sink.type)],
    [t('target'), sink.url ?? sink.stream ?? ''],
    ...(sink.max_length === undefined ? [] : [[t('max_length'), numberOf(sink.max_length)] as const]),
    [t('kinds'), sink.kinds.map(kindName).join(', ')],
    [t('state'), stateOf(sink)],
    ...(sink.paused_at === null && sink.failing_since !== null && sink.paused_until !== null
      ? [['', t('paused_until', dateOf(sink.paused_until))] as const]
      : []),
    [t('reached'), numberOf(sink.reached)],
    [t('waiting'), numberOf(sink.waiting)],
    [t('dead'), numberOf(sink.dead)],
  ];
  return <FactTable rows={rows} label={sink.name} />;
}

function Pause({ organisation, sink }: SinkProps) {
  const t = useEventTexts();
  const queries = useQueryClient();
  const { run, isBusy, fault } = useTask();
  const isPaused = sink.paused_at !== null;

  const change = () =>
    run(async () => {
      await setPaused(organisation, sink, !isPaused);
      await queries.invalidateQueries({ queryKey: keyOf(organisation) });
      toast(t(isPaused ? 'resumed' : 'paused_done', sink.name));
    });

  return (
    <Stack gap="xs">
      <Text size="sm">{t(isPaused ? 'resume_help' : 'pause_help')}</Text>
      <FaultAlert fault={fault} />
      <div>
        <Button variant="default" loading={isBusy} onClick={() => void change()}>
          {t(isPaused ? 'resume' : 'pause')}
        </Button>
      </div>
    </Stack>
  );
}

function Dead({ organisation, sink: { name } }: SinkProps) {
  const t = useEventTexts();
  const kindName = useKindName();
  const queries = useQueryClient();
  const dead = useQuery(deadQuery(organisation, name));
  const { run, isBusy, fault } = useTask();

  const again = (events?: string[]) =>
    run(async () => {
      const { deliveries } = await redeliver(organisation, name, events);
      await queries.invalidateQueries({ queryKey: keyOf(organisation) });
      toast(t('begun', numberOf(deliveries)));
    });

  return (
    <Stack align="stretch" component="section">
      <Title order={3} size="h5">
        {t('given_up')}
      </Title>
      <FaultAlert fault={fault} />
      <Loaded query={dead}>
        {(all) =>
          all.length === 0 ? (
            <Text size="sm">{t('none_given_up')}</Text>
          ) : (
            <>
              <Scrolled
                label={t('given_up')}
                heads={[t('number'), t('event'), t('session'), t('attempts'), t('when'), t('again')]}
              >
                {all.map(({ event, number, kind, key, attempts, given_up_at: at }) => (
                  <Table.Tr key={event}>
                    <Table.Td>{number}</Table.Td>
                    <Table.Td>{kindName(kind)}</Table.Td>
                    <Table.Td className="wrap">{key}</Table.Td>
                    <Table.Td>{attempts}</Table.Td>
                    <Table.Td>{dateOf(at)}</Table.Td>
                    <Table.Td>
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={t('redeliver_of', number)}
                        disabled={isBusy}
                        onClick={() => void again([event])}
                      >
                        {t('redeliver')}
                      </Button>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Scrolled>
              <div>
                <Button variant="default" loading={isBusy} onClick={() => void again()}>
                  {t('redeliver_all')}
                </Button>
              </div>
            </>
          )
        }
      </Loaded>
    </Stack>
  );
}

function Failed({ organisation, sink: { name } }: SinkProps) {
  const t = useEventTexts();
  const failed = useQuery(failedQuery(organisation, name));
  return (
    <Stack component="section">
      <Title order={3} size="h5">
        {t('failed')}
      </Title>
      <Loaded query={failed}>
        {(all) =>
          all.length === 0 ? (
            <Text size="sm">{t('none_failed')}</Text>
          ) : (
            <Scrolled label={t('failed')} heads={[t('when'), t('number'), t('attempt'), t('answer')]}>
              {all.map(({ attempted_at: at, event, number, attempt, outcome, http_status: status, error }) => (
                <Table.Tr key={`${event} ${attempt} ${at}`}>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>{dateOf(at)}</Table.Td>
                  <Table.Td>{number}</Table.Td>
                  <Table.Td>{attempt}</Table.Td>
                  <Table.Td className="wrap">
                    {[t(outcome === 'refused' ? 'refused' : 'no_answer'), status, error]
                      .filter((part) => part !== null && part !== '')
                      .join(' · ')}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Scrolled>
          )
        }
      </Loaded>
    </Stack>
  );
}

function Removal({ organisation, sink, closed }: SinkProps & { closed: () => void }) {
  const t = useEventTexts();
  const queries = useQueryClient();
  const confirmed = useConfirmed();
  const [isAsked, setAsked] = useState(false);

  async function work() {
    await confirmed(() => remove(organisation, sink));
    closed();
    await queries.invalidateQueries({ queryKey: keyOf(organisation) });
    toast(t('removed', sink.name));
  }

  return (
    <div>
      <Button variant="outline" color="red" onClick={() => setAsked(true)}>
        {t('remove')}
      </Button>
      <Ask
        title={t('remove')}
        text={t('remove_text', sink.name)}
        action={t('remove')}
        isOpen={isAsked}
        close={() => setAsked(false)}
        work={work}
      />
    </div>
  );
}
