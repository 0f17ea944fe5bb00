import { TagsInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../operations/call';
import { useMay } from '../session/session';
import { useUiTexts } from './texts';

interface TagsFieldProps {
  label: string;
  description?: string;
  error?: string;
  /** `Type:Name`. */
  value: readonly string[];
  change: (value: string[]) => void;
  isDisabled?: boolean;
}

/** A field for tags, which are written `Type:Name`. It offers the tags of the bank; a type and a colon narrow them. */
export function TagsField({ label, description, error, value, change, isDisabled = false }: TagsFieldProps) {
  const t = useUiTexts();
  const may = useMay();
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, 250);
  const type = settled.includes(':') ? settled.slice(0, settled.indexOf(':')).trim() : '';
  const tags = useQuery({
    ...read('get itembank/tagging/tags', { limit: 50, ...(type === '' ? {} : { types: [type] }) }),
    enabled: !isDisabled && may('get itembank/tagging/tags'),
  });
  return (
    <TagsInput
      label={label}
      description={description}
      error={error}
      placeholder={value.length === 0 ? t('tag_form') : undefined}
      data={(tags.data?.data ?? []).map((tag) => `${tag.type}:${tag.name}`)}
      value={[...value]}
      onChange={(next) => change(next.map((tag) => tag.trim()).filter((tag) => /^[^:]+:/.test(tag)))}
      searchValue={text}
      onSearchChange={setText}
      splitChars={[]}
      acceptValueOnBlur
      disabled={isDisabled}
    />
  );
}

/** `Subject:Geography` as operations take it; a type alone, `Subject:`, has no name. */
export function tagOf(text: string): { type: string; name?: string } {
  const at = text.indexOf(':');
  const name = text.slice(at + 1).trim();
  return { type: text.slice(0, at).trim(), ...(name === '' ? {} : { name }) };
}

/** Tags of a record as texts. */
export const tagTexts = (tags: Record<string, readonly string[]> | undefined): string[] =>
  Object.entries(tags ?? {}).flatMap(([type, names]) => names.map((name) => `${type}:${name}`));

/** Texts as the tags of a record. What has no name is left out. */
export function tagLists(texts: readonly string[]): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const { type, name } of texts.map(tagOf)) if (name !== undefined) (lists[type] ??= []).push(name);
  return lists;
}
