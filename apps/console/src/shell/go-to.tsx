import { Combobox, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type RefObject, useState } from 'react';
import { read } from '../operations/call';
import { useMay } from '../session/session';
import { useShellTexts } from './texts';

/** The search box of the header. Opens the record with a reference, or searches the bank. */
export function GoTo({ inputRef }: { inputRef: RefObject<HTMLInputElement | null> }) {
  const t = useShellTexts();
  const router = useRouter();
  const may = useMay();
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), 250);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const mayRead = may('get itembank/items') && settled !== '';
  const items = useQuery({ ...read('get itembank/items', { references: [settled], limit: 1 }), enabled: mayRead });
  const activities = useQuery({
    ...read('get itembank/activities', { references: [settled], limit: 1 }),
    enabled: mayRead && may('get itembank/activities'),
  });
  const using = useQuery({
    ...read('get itembank/items', { questions: { references: [settled] }, limit: 5 }),
    enabled: mayRead,
  });
  const isOf = ({ reference }: { reference: string }) => reference.toLowerCase() === settled.toLowerCase();
  const found = [
    ...(items.data?.data ?? []).filter(isOf).map(({ reference, title }) => ({
      to: `/items/${encodeURIComponent(reference)}`,
      kind: t('item'),
      reference,
      title,
    })),
    ...(activities.data?.data ?? []).filter(isOf).map(({ reference }) => ({
      to: `/activities/${encodeURIComponent(reference)}`,
      kind: t('activity'),
      reference,
      title: null,
    })),
    ...(using.data?.data ?? []).map(({ reference, title }) => ({
      to: `/items/${encodeURIComponent(reference)}`,
      kind: t('question_in'),
      reference,
      title,
    })),
  ].filter(({ to }, index, all) => all.findIndex((other) => other.to === to) === index);

  function open(value: string) {
    combobox.closeDropdown();
    setText('');
    inputRef.current?.blur();
    void router.navigate({ href: router.basepath + value });
  }

  return (
    <Combobox store={combobox} onOptionSubmit={open} withinPortal={false}>
      <Combobox.Target>
        <TextInput
          ref={inputRef}
          type="search"
          aria-label={t('go_to')}
          placeholder={t('go_to_help')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            combobox.openDropdown();
            combobox.updateSelectedOptionIndex();
          }}
          onFocus={() => text !== '' && combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          style={{ flex: '1 1 auto', maxWidth: 480 }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={settled === ''}>
        <Combobox.Options aria-label={t('go_to')}>
          {found.map(({ to, kind, reference, title }) => (
            <Combobox.Option key={to} value={to}>
              <Text size="sm" truncate>
                {reference}
                {title ? ` – ${title}` : ''}
              </Text>
              <Text size="xs" c="dimmed">
                {kind}
              </Text>
            </Combobox.Option>
          ))}
          {settled !== '' && (
            <Combobox.Option value={`/items?text=${encodeURIComponent(settled)}`}>
              <Text size="sm">{t('find_in_bank', settled)}</Text>
            </Combobox.Option>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
