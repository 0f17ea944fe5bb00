import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call, read } from '../../../operations/call';
import { FaultAlert } from '../../../ui/fault-alert';
import { QueryFault } from '../../../ui/loaded';
import { besides, messageAt } from '../../../ui/fault-places';
import { fieldOf } from '../../../ui/field-of';
import { toast } from '../../../ui/toast';
import { useTask } from '../../../ui/use-task';
import { momentOf } from '../../../texts/days';
import { useRoundTexts } from './texts';

const STATUSES = ['Completed', 'Incomplete', 'Discarded'] as const;
const FIELDS = ['/name', '/question', '/allowed_difference', '/sessions/activity_id'];

/** Creates a round: the question, its sessions, and how marks become a score. */
export function CreateRound() {
  const t = useRoundTexts();
  const navigate = useNavigate();
  const { run, isBusy, fault } = useTask();
  const questions = useQuery(read('get sessions/marking/questions', {}));
  const [question, setQuestion] = useState<string | null>(null);
  const [activities, setActivities] = useState<string[]>([]);
  const [markers, setMarkers] = useState('1');
  const [allowed, setAllowed] = useState<string | number>(0);
  const [missing, setMissing] = useState<{ name?: string; question?: string; allowed?: string }>({});

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const field = (name: string) => fieldOf(form, name);
    const name = field('name').trim();
    const wrong = {
      ...(name === '' ? { name: t('no_name') } : {}),
      ...(question === null ? { question: t('no_question') } : {}),
      ...(typeof allowed === 'number' && allowed >= 0 ? {} : { allowed: t('no_number') }),
    };
    setMissing(wrong);
    if (Object.keys(wrong).length > 0 || question === null) return;
    const status = field('status');
    await run(async () => {
      const { data } = await call('set sessions/marking/rounds', {
        name,
        question,
        sessions: {
          status: status === '' ? [...STATUSES] : [status],
          ...(activities.length > 0 ? { activity_id: activities } : {}),
          mintime_started: momentOf(field('from'), 'first'),
          maxtime_started: momentOf(field('to'), 'last'),
        },
        markers: Number(markers),
        allowed_difference: Number(allowed),
        blind: field('blind') === 'yes',
        scored: field('scored') === 'yes',
      });
      toast(t('created'));
      await navigate({ to: `/marking/${data.reference}` });
    });
  }

  const options = questions.data?.data ?? [];
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <TextInput
          name="name"
          label={t('name')}
          maxLength={255}
          required
          data-autofocus
          onChange={() => setMissing(({ name: _, ...rest }) => rest)}
          error={missing.name ?? messageAt(fault, '/name')}
        />
        <Select
          label={t('question')}
          description={options.length === 0 && !questions.isLoading ? t('no_questions') : t('question_help')}
          required
          searchable
          value={question}
          onChange={(chosen) => {
            setQuestion(chosen);
            setMissing(({ question: _, ...rest }) => rest);
          }}
          data={options.map(({ reference, sessions, in_rounds: inRounds, settled }) => ({
            value: reference,
            label: t('question_option', reference, sessions, inRounds, settled),
          }))}
          error={missing.question ?? messageAt(fault, '/question')}
        />
        <TagsInput
          label={t('activities')}
          description={t('activities_help')}
          value={activities}
          onChange={setActivities}
          maxTags={100}
          acceptValueOnBlur
          error={messageAt(fault, '/sessions/activity_id')}
        />
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <NativeSelect
            name="status"
            label={t('status')}
            defaultValue="Completed"
            data={[...STATUSES.map((value) => ({ value, label: t(value) })), { value: '', label: t('any') }]}
          />
          <TextInput name="from" type="date" label={t('from')} />
          <TextInput name="to" type="date" label={t('to')} />
        </SimpleGrid>
        <NativeSelect
          label={t('markers')}
          value={markers}
          onChange={({ currentTarget }) => setMarkers(currentTarget.value)}
          data={[
            { value: '1', label: t('one') },
            { value: '2', label: t('two') },
          ]}
        />
        {markers === '2' && (
          <NumberInput
            label={t('allowed')}
            description={t('allowed_help')}
            min={0}
            hideControls
            value={allowed}
            onChange={setAllowed}
            error={missing.allowed ?? messageAt(fault, '/allowed_difference')}
          />
        )}
        <Checkbox name="blind" value="yes" label={t('blind')} />
        <Checkbox name="scored" value="yes" label={t('scored')} />
        <FaultAlert fault={besides(fault, FIELDS)} />
        <QueryFault query={questions} />
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy}>
            {t('create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
