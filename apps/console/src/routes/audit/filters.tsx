import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { fieldOf } from '../../ui/field-of';
import { FilterChips } from '../../ui/filter-chips';
import { useAddress } from '../../ui/use-address';
import { localTime, momentIn } from '../history/times';
import { useSubjects } from './audit';
import { useAuditTexts } from './texts';

/** The filters of the list, which the address keeps. */
export function Filters() {
  const t = useAuditTexts();
  const address = useAddress();
  const offered = useSubjects();
  const chosen = offered.filter((each) => address.list('subject').includes(each));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    address.set({
      ...Object.fromEntries(['reference', 'author', 'operation'].map((name) => [name, fieldOf(form, name).trim()])),
      ...Object.fromEntries(['from', 'to'].map((name) => [name, momentIn(fieldOf(form, name)) ?? ''])),
    });
  };
  const names = ['reference', 'author', 'operation', 'from', 'to'];
  const values = names.map((name) => address.get(name));
  return (
    <Stack gap="sm">
      <FilterChips
        label={t('subjects')}
        values={offered}
        chosen={chosen}
        nameOf={t}
        choose={(subject) => address.set({ subject }, true)}
      />
      <form onSubmit={submit} key={values.join()}>
        <Group align="flex-end" gap="sm">
          <TextInput
            name="reference"
            label={t('reference')}
            description={t('reference_help')}
            defaultValue={address.get('reference')}
          />
          <TextInput name="author" label={t('author')} defaultValue={address.get('author')} />
          <TextInput name="operation" label={t('operation')} defaultValue={address.get('operation')} />
          {(['from', 'to'] as const).map((name) => (
            <TextInput
              key={name}
              name={name}
              type="datetime-local"
              step={1}
              label={t(name)}
              defaultValue={localTime(momentIn(address.get(name)))}
            />
          ))}
          <Button type="submit" variant="default">
            {t('filter')}
          </Button>
          {(chosen.length > 0 || values.some((value) => value !== '')) && (
            <Button
              variant="subtle"
              onClick={() => address.set(Object.fromEntries(['subject', ...names].map((name) => [name, undefined])))}
            >
              {t('all')}
            </Button>
          )}
        </Group>
      </form>
    </Stack>
  );
}
