import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../operations/call';
import { useMay } from '../session/session';

const SHOWN = 50;
const LONGEST = 255;

/** The properties of a `TagsInput` that offers tags of the bank, as `Type:Name`. The service finds those that contain what was typed. */
export function useTagSuggestions(isNeeded = true) {
  const may = useMay();
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim().slice(0, LONGEST), 250);
  const tags = useQuery({
    ...read('get itembank/tagging/tags', { limit: SHOWN, ...(settled === '' ? {} : { contains: settled }) }),
    enabled: isNeeded && may('get itembank/tagging/tags'),
  });
  return {
    data: (tags.data?.data ?? []).map(({ type, name }) => `${type}:${name}`),
    searchValue: text,
    onSearchChange: setText,
    limit: SHOWN,
  };
}
