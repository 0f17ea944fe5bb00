import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../operations/call';
import { useMay } from '../session/session';

const MAX_SUGGESTIONS = 50;
const MAX_LENGTH = 255;

/** The properties of a `TagsInput` that offers tags of the bank, as `Type:Name`. The service finds those that contain what was typed. */
export function useTagSuggestions(isNeeded = true) {
  const may = useMay();
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim().slice(0, MAX_LENGTH), 250);
  const tags = useQuery({
    ...read('get itembank/tagging/tags', { limit: MAX_SUGGESTIONS, ...(settled === '' ? {} : { contains: settled }) }),
    placeholderData: keepPreviousData,
    enabled: isNeeded && may('get itembank/tagging/tags'),
  });
  return {
    data: (tags.data?.data ?? []).map(({ type, name }) => `${type}:${name}`),
    searchValue: text,
    onSearchChange: setText,
    limit: MAX_SUGGESTIONS,
  };
}
