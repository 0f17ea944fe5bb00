import { Combobox, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect, useState } from 'react';
import { type Input, type OperationName, read } from '../operations/call';
import { useMay } from '../session/session';
import { useShellTexts } from './texts';
import { inPath } from '../ui/in-path';

/** A place of the console, as the box offers it. */
interface Place {
  to: string;
  search?: Record<string, string>;
  label: string;
  kind?: string;
}

/** The search box of the header. Opens the record with a reference, or searches the bank. */
export function GoTo({ inputRef }: { inputRef: RefObject<HTMLInputElement | null> }) {
  const t = useShellTexts();
  const router = useRouter();
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), 250);
  const [isAwaited, setAwaited] = useState(false);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { places, isFetching } = usePlaces(settled);
  const isReady = settled !== '' && settled === text.trim() && !isFetching;

  function open({ to, search = {} }: Place) {
    combobox.closeDropdown();
    setText('');
    setAwaited(false);
    inputRef.current?.blur();
    void router.navigate({ to, search: search as never });
  }

  // The person pressed Enter before the answers were there.
  useEffect(() => {
    if (isAwaited && isReady) open(places[0]!);
  });

  return (
    <Combobox store={combobox} onOptionSubmit={(at) => open(places[Number(at)]!)} withinPortal={false}>
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
            setAwaited(false);
            combobox.openDropdown();
            combobox.updateSelectedOptionIndex();
          }}
          onKeyDown={({ key, nativeEvent }) => {
            if (key === 'Enter' && !nativeEvent.isComposing && combobox.getSelectedOptionIndex() < 0)
              setAwaited(text.trim() !== '');
          }}
          onFocus={() => text !== '' && combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          style={{ flex: '1 1 auto', maxWidth: 480 }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={settled === ''}>
        <Combobox.Options aria-label={t('go_to')}>
          {places.map(({ label, kind }, at) => (
            <Combobox.Option key={at} value={String(at)}>
              <Text size="sm" truncate={kind !== undefined}>
                {label}
              </Text>
              {kind && (
                <Text size="xs" c="dimmed">
                  {kind}
                </Text>
              )}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** The places with this text as their reference, and last the bank, searched for it. */
function usePlaces(text: string): { places: Place[]; isFetching: boolean } {
  const t = useShellTexts();
  const references = [text];
  const items = useFound(text, 'get itembank/items', { references, limit: 1 });
  const activities = useFound(text, 'get itembank/activities', { references, limit: 1 });
  const using = useFound(text, 'get itembank/items', { questions: { references }, limit: 5 });
  const pools = useFound(text, 'get itembank/pools', { references, limit: 1 });
  const workflows = useFound(text, 'get itembank/workflows', { references, limit: 1 });
  const sessions = useFound(text, 'get sessions/statuses', { session_id: references, limit: 1 });
  const jobs = useFound(text, 'get jobs', { references, limit: 1 });
  const at = (path: string, reference: string) => `${path}/${inPath(reference)}`;
  const titled = (reference: string, title: string | null | undefined) =>
    title ? `${reference} – ${title}` : reference;
  const itemsAs = (kind: string, found: typeof items) =>
    (found.data?.data ?? []).map(({ reference, title }): Place => ({
      to: at('/items', reference),
      label: titled(reference, title),
      kind,
    }));
  const places: Place[] = [
    ...itemsAs(t('item'), items),
    ...(activities.data?.data ?? []).map(({ reference }) => ({
      to: at('/activities', reference),
      label: reference,
      kind: t('activity'),
    })),
    ...itemsAs(t('question_in'), using),
    ...(pools.data?.data ?? []).map(({ reference, name }) => ({
      to: at('/pools', reference),
      label: titled(reference, name),
      kind: t('pool'),
    })),
    ...(workflows.data?.data ?? []).map(({ reference }) => ({
      to: at('/workflows', reference),
      label: reference,
      kind: t('workflow'),
    })),
    ...(sessions.data?.data ?? []).map(({ session_id: reference, user_id: learner }) => ({
      to: at('/sessions', reference),
      label: titled(reference, learner),
      kind: t('session'),
    })),
    ...(jobs.data?.data ?? []).map(({ reference = '' }) => ({
      to: '/jobs',
      search: { job: reference },
      label: reference,
      kind: t('job'),
    })),
  ].filter(({ to }, index, all) => all.findIndex((other) => other.to === to) === index);
  return {
    places: [...places, { to: '/items', search: { text }, label: t('find_in_bank', text) }],
    isFetching: [items, activities, using, pools, workflows, sessions, jobs].some((query) => query.isFetching),
  };
}

/** Reads what has this text as its reference, if the person may call the operation. */
function useFound<N extends OperationName>(text: string, name: N, input: Input<N>) {
  const isOn = useMay()(name) && text !== '';
  return useQuery({ ...read(name, input), enabled: isOn });
}
