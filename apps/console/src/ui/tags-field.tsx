import { TagsInput, type TagsInputProps } from '@mantine/core';
import { useState } from 'react';
import { useUiTexts } from './texts';
import { useTagSuggestions } from './use-tag-suggestions';

interface TagsFieldProps extends Pick<
  TagsInputProps,
  'label' | 'description' | 'error' | 'placeholder' | 'clearable' | 'renderOption'
> {
  /** `Type:Name`. */
  value: readonly string[];
  change: (value: string[]) => void;
  isDisabled?: boolean;
  /** Whether a type alone, `Subject:`, is refused. */
  needsName?: boolean;
  'data-autofocus'?: boolean;
}

/** A field with more tags scrolls. */
const MANY = 20;

/** A field for tags, which are written `Type:Name`. It offers the tags of the bank. A text that is no tag stays in it. */
export function TagsField({ value, change, isDisabled = false, needsName = false, error, ...others }: TagsFieldProps) {
  const t = useUiTexts();
  const { searchValue, onSearchChange, ...suggestions } = useTagSuggestions(!isDisabled);
  const [isWrong, setWrong] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const type = (text: string) => {
    setWrong(false);
    if (text !== '') setOpen(true);
    onSearchChange(text);
  };

  function set(texts: readonly string[]) {
    const tags = texts.map((text) => (text === searchValue ? text.trim() : text));
    // The list of all tags would cover what is below the field.
    if (texts.includes(searchValue)) setOpen(false);
    const refused = tags.find((tag) => !value.includes(tag) && !isTag(tag, needsName));
    if (refused === undefined) {
      change(tags);
      return;
    }
    // The input is emptied after this call.
    queueMicrotask(() => {
      onSearchChange(refused);
      setWrong(true);
    });
  }

  return (
    <TagsInput
      placeholder={value.length === 0 ? t('tag_form') : undefined}
      {...others}
      {...suggestions}
      attributes={value.length > MANY ? { input: { tabIndex: 0, role: 'group', 'aria-label': others.label } } : {}}
      styles={value.length > MANY ? { input: { maxHeight: '12rem', overflowY: 'auto' } } : {}}
      // The browser pastes, because the library would append the text to a marked one, and take it for a tag at once.
      onPasteCapture={(event) => event.stopPropagation()}
      error={isWrong ? t('tag_wrong') : error}
      errorProps={{ role: isWrong ? 'alert' : undefined }}
      searchValue={searchValue}
      onSearchChange={type}
      value={[...value]}
      onChange={set}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      splitChars={[]}
      acceptValueOnBlur
      disabled={isDisabled}
    />
  );
}

function isTag(text: string, needsName: boolean): boolean {
  const { type, name } = tagOf(text);
  return text.includes(':') && type !== '' && (name !== undefined || !needsName);
}

interface Tag {
  type: string;
  name?: string;
}

/** `Subject:Geography` as operations take it; a type alone, `Subject:`, has no name. */
export function tagOf(text: string): Tag {
  const at = text.indexOf(':');
  const name = text.slice(at + 1).trim();
  return { type: text.slice(0, at).trim(), ...(name === '' ? {} : { name }) };
}

type Tags = Record<string, readonly string[]> | undefined;

/** Tags of a record as texts. */
export const tagTexts = (tags: Tags): string[] =>
  Object.entries(tags ?? {}).flatMap(([type, names]) => names.map((name) => `${type}:${name}`));

/**
 * Texts as the tags of a record. Leaves out texts without a name.
 * @param before the tags that the record had. Their types may contain colons.
 */
export function tagLists(texts: readonly string[], before: Tags): Record<string, string[]> {
  const known = new Map<string, Tag>();
  for (const [type, names] of Object.entries(before ?? {}))
    for (const name of names) known.set(`${type}:${name}`, { type, name });
  const lists = new Map<string, string[]>();
  for (const { type, name } of texts.map((text) => known.get(text) ?? tagOf(text)))
    if (name !== undefined) lists.set(type, [...(lists.get(type) ?? []), name]);
  return Object.fromEntries(lists);
}
