import { Checkbox, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useConfirmed } from '../../session/confirm';
import { Actions } from '../../ui/dialog';
import { besides, messageAt } from '../../ui/fault-places';
import { fieldOf } from '../../ui/field-of';
import { UnsureFault } from '../../ui/unsure-fault';
import { useTask } from '../../ui/use-task';
import { add, keyOf, type SinkType } from './events';
import { useEventTexts, useKindName } from './texts';

const FIELDS = ['/name', '/url', '/stream', '/max_length', '/kinds'];
const USUAL_LENGTH = 1_000_000;

interface CreateFormProps {
  organisation: number;
  kinds: readonly string[];
  hasStreams: boolean;
  done: (name: string, secret: string | undefined) => void;
  cancel: () => void;
}

export function CreateForm({ organisation, kinds, hasStreams, done, cancel }: CreateFormProps) {
  const t = useEventTexts();
  const nameOf = useKindName();
  const queries = useQueryClient();
  const confirmed = useConfirmed();
  const [type, setType] = useState<SinkType>('webhook');
  const [chosen, choose] = useState<string[]>([...kinds]);
  const [length, setLength] = useState<number | string>(USUAL_LENGTH);
  const { run, isBusy, fault } = useTask();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const name = fieldOf(form, 'name').trim();
    const target =
      type === 'webhook'
        ? ({ type, url: fieldOf(form, 'url').trim() } as const)
        : ({ type, stream: fieldOf(form, 'stream'), max_length: Number(length) } as const);
    void run(async () => {
      try {
        const { secret } = await confirmed(() => add(organisation, { name, kinds: chosen, target }));
        done(name, secret);
      } finally {
        void queries.invalidateQueries({ queryKey: keyOf(organisation) });
      }
    });
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          name="name"
          label={t('name')}
          description={t('name_help')}
          error={messageAt(fault, '/name')}
          maxLength={64}
          required
          data-autofocus
        />
        <Radio.Group label={t('type')} value={type} onChange={(value) => setType(value)}>
          <Stack gap="xs" mt="xs">
            <Radio value="webhook" label={t('webhook')} description={t('webhook_help')} />
            <Radio
              value="stream"
              label={t('stream')}
              description={t(hasStreams ? 'stream_help' : 'no_streams')}
              disabled={!hasStreams}
            />
          </Stack>
        </Radio.Group>
        {type === 'webhook' ? (
          <TextInput
            name="url"
            label={t('url')}
            description={t('url_help')}
            error={messageAt(fault, '/url')}
            placeholder="https://"
            inputMode="url"
            required
          />
        ) : (
          <>
            <TextInput name="stream" label={t('key')} error={messageAt(fault, '/stream')} maxLength={255} required />
            <NumberInput
              label={t('max_length')}
              value={length}
              onChange={setLength}
              min={1}
              clampBehavior="none"
              allowDecimal={false}
              error={messageAt(fault, '/max_length')}
            />
          </>
        )}
        <Checkbox.Group label={t('kinds')} value={chosen} onChange={choose} error={messageAt(fault, '/kinds')}>
          <Stack gap="xs" mt="xs">
            {kinds.map((kind) => (
              <Checkbox key={kind} value={kind} label={nameOf(kind)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <UnsureFault fault={besides(fault, FIELDS)} />
        <Actions cancel={cancel} loading={isBusy}>
          {t('create')}
        </Actions>
      </Stack>
    </form>
  );
}
