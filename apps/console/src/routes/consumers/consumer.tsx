import { Button, Divider, Group, NumberInput, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConfirmed } from '../../session/confirm';
import { useWorkplace } from '../../session/session';
import { CopyField } from '../../ui/copy-field';
import { Ask } from '../../ui/dialog';
import { type Fact, FactTable } from '../../ui/fact-table';
import { FaultAlert } from '../../ui/fault-alert';
import { besides, messageAt } from '../../ui/fault-places';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { ChangesLink } from '../audit/changes-link';
import { consumersQuery, type ConsumerView, nameOf, type NewSecret, rotate, setStatus } from './consumers';
import { RateLimits } from './rate-limits';
import { useConsumerTexts } from './texts';

/** Everything about one consumer. */
export function Consumer({ consumer, showSecret }: { consumer: ConsumerView; showSecret: (made: NewSecret) => void }) {
  return (
    <Stack>
      <Facts consumer={consumer} />
      <Group>
        <ChangesLink subject="consumer" reference={consumer.key} />
      </Group>
      <Divider />
      <Secret consumer={consumer} showSecret={showSecret} />
      <Divider />
      <RateLimits consumer={consumer} />
      <Divider />
      <Status consumer={consumer} />
    </Stack>
  );
}

function Facts({ consumer }: { consumer: ConsumerView }) {
  const t = useConsumerTexts();
  const { session } = useWorkplace();
  const organisation = (id: number) => session.organisations.find((each) => each.id === id)?.name || String(id);
  const rows: Fact[] = [
    [t('status'), t(consumer.status)],
    [t('domains'), consumer.domains.join(', ')],
    ...consumer.grants.map(({ organisation: id, access }): Fact => [t('access_of', organisation(id)), t(access)]),
    ...(consumer.features.length > 0 ? [[t('features'), consumer.features.join(', ')] as const] : []),
    ...(consumer.legacy_signatures ? [[t('legacy'), t('legacy_yes')] as const] : []),
  ];
  return (
    <>
      <CopyField label={t('key')} value={consumer.key} />
      <FactTable rows={rows} />
    </>
  );
}

function Secret({ consumer, showSecret }: { consumer: ConsumerView; showSecret: (made: NewSecret) => void }) {
  const t = useConsumerTexts();
  const confirmed = useConfirmed();
  const [hours, setHours] = useState<number | string>(24);
  const [isAsked, setAsked] = useState(false);
  const { run, isBusy, fault } = useTask();
  const make = async () => showSecret(await confirmed(() => rotate(consumer.key, Number(hours))));
  return (
    <Stack align="flex-start">
      <Title order={3} size="h5">
        {t('new_secret')}
      </Title>
      <Text size="sm">{t('rotate_help')}</Text>
      <NumberInput
        label={t('overlap')}
        description={t('overlap_help')}
        value={hours}
        onChange={setHours}
        min={0}
        max={720}
        clampBehavior="none"
        allowDecimal={false}
        error={messageAt(fault, '/overlap_hours')}
      />
      <FaultAlert fault={besides(fault, ['/overlap_hours'])} />
      <Button
        variant="default"
        loading={isBusy}
        onClick={() => (Number(hours) === 0 ? setAsked(true) : void run(make))}
      >
        {t('rotate')}
      </Button>
      <Ask
        title={t('rotate')}
        text={t('rotate_now_text', nameOf(consumer))}
        action={t('rotate')}
        isOpen={isAsked}
        close={() => setAsked(false)}
        work={make}
      />
    </Stack>
  );
}

function Status({ consumer }: { consumer: ConsumerView }) {
  const t = useConsumerTexts();
  const queries = useQueryClient();
  const confirmed = useConfirmed();
  const [isAsked, setAsked] = useState(false);
  const { run, isBusy, fault } = useTask();
  const name = nameOf(consumer);

  const set = (status: ConsumerView['status']) => async () => {
    await confirmed(() => setStatus(consumer.key, status));
    await queries.invalidateQueries({ queryKey: consumersQuery.queryKey });
    toast(t(status === 'active' ? 'enabled_done' : 'disabled_done', name));
  };

  return (
    <Stack align="flex-start">
      <Title order={3} size="h5">
        {t('account')}
      </Title>
      <FaultAlert fault={fault} />
      {consumer.status === 'active' ? (
        <Button variant="outline" color="red" onClick={() => setAsked(true)}>
          {t('disable')}
        </Button>
      ) : (
        <Button variant="default" loading={isBusy} onClick={() => void run(set('active'))}>
          {t('enable')}
        </Button>
      )}
      <Ask
        title={t('disable')}
        text={t('disable_text', name)}
        action={t('disable')}
        isOpen={isAsked}
        close={() => setAsked(false)}
        work={set('disabled')}
      />
    </Stack>
  );
}
