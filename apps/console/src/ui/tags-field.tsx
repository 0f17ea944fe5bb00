import { TagsInput } from '@mantine/core';
import { useUiTexts } from './texts';
import { useTagSuggestions } from './use-tag-suggestions';

interface TagsFieldProps {
  label: string;
  description?: string;
  error?: string;
  /** `Type:Name`. */
  value: readonly string[];
  change: (value: string[]) => void;
  isDisabled?: boolean;
}

/** A field for tags, which are written `Type:Name`. It offers the tags of the bank. */
export function TagsField({ label, description, error, value, change, isDisabled = false }: TagsFieldProps) {
  const t = useUiTexts();
  const suggestions = useTagSuggestions(!isDisabled);
  return (
    <TagsInput
      label={label}
      description={description}
      error={error}
      placeholder={value.length === 0 ? t('tag_form') : undefined}
      {...suggestions}
      value={[...value]}
      onChange={(next) => change(next.map((tag) => tag.trim()).filter((tag) => /^[^:]+:/.test(tag)))}
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

/** Texts as the tags of a record. Leaves out texts without a name. */
export function tagLists(texts: readonly string[]): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  for (const { type, name } of texts.map(tagOf)) if (name !== undefined) (lists[type] ??= []).push(name);
  return lists;
}
