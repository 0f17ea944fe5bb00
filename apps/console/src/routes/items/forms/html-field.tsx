import { Button, Group, Stack, Textarea } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { PictureButton } from './picture-button';
import { type Insert, isWritingElsewhere, setTextView, type TextFieldProps, useTextView } from './text-field';
import { useFormTexts } from './texts';
import { part } from '../../../ui/part';

const FormattedText = part(() => import('./formatted/editor'));

interface HtmlFieldProps {
  label: string;
  value: string;
  change: (value: string) => void;
  rows?: number;
  /** Further buttons that insert something. */
  buttons?: (insert: Insert) => ReactNode;
}

/** A text with formats, as people write it or as HTML. The button "HTML" switches all fields. */
export function HtmlField({ label, value, change, rows = 3, buttons }: HtmlFieldProps) {
  const t = useFormTexts();
  const view = useTextView();
  // Whether the formatted view would lose something of the text.
  const [isRefused, setRefused] = useState(false);
  const refuse = useCallback(() => setRefused(true), []);
  const [takesFocus, setTakesFocus] = useState(false);
  // The buttons of short texts show only while somebody writes there.
  const [isActive, setActive] = useState(false);
  const isHtml = view === 'html' || isRefused;

  function toggle() {
    setRefused(false);
    setTakesFocus(true);
    setTextView(isHtml ? 'formatted' : 'html');
  }

  const field: TextFieldProps = {
    label,
    value,
    change,
    rows,
    takesFocus,
    buttons: (own, insert) => (
      <Group gap={4} role="group" aria-label={label} display={rows > 1 || isActive ? undefined : 'none'}>
        {own}
        <Button size="compact-xs" variant="default" onClick={() => insert('\\(', '\\)')}>
          {t('formula')}
        </Button>
        <PictureButton insert={insert} />
        {buttons?.(insert)}
        <Button size="compact-xs" variant={isHtml ? 'filled' : 'default'} aria-pressed={isHtml} onClick={toggle}>
          HTML
        </Button>
      </Group>
    ),
  };
  return (
    <Stack
      gap={4}
      onFocus={() => setActive(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) afterPress(() => setActive(false));
      }}
    >
      {isHtml ? (
        <HtmlText {...field} description={isRefused ? t('only_html') : rows > 1 ? t('html_help') : undefined} />
      ) : (
        <FormattedText {...field} refuse={refuse} />
      )}
    </Stack>
  );
}

/** Calls back when no button of the mouse is down. What moves during a press makes a click miss its target. */
function afterPress(callback: () => void): void {
  if (document.querySelector(':active') === null) callback();
  else addEventListener('pointerup', () => setTimeout(callback), { once: true });
}

/** A text as HTML. The buttons put tags around the chosen words. */
function HtmlText({
  label,
  description,
  value,
  change,
  rows,
  takesFocus,
  buttons,
}: TextFieldProps & { description?: string }) {
  const t = useFormTexts();
  const field = useRef<HTMLTextAreaElement>(null);
  // An insertion may come later, such as an uploaded picture. It then changes the text of that moment.
  const latest = useRef({ value, change });
  useEffect(() => {
    latest.current = { value, change };
  });

  function insert(before: string, after = '') {
    const area = field.current!;
    const { selectionStart: from, selectionEnd: to } = area;
    const { value, change } = latest.current;
    change(value.slice(0, from) + before + value.slice(from, to) + after + value.slice(to));
    requestAnimationFrame(() => {
      if (isWritingElsewhere(area)) return;
      area.focus();
      area.setSelectionRange(from + before.length, to + before.length);
    });
  }

  const around: [string, string, string][] = [
    [t('bold'), '<strong>', '</strong>'],
    [t('italic'), '<em>', '</em>'],
    [t('sub'), '<sub>', '</sub>'],
    [t('sup'), '<sup>', '</sup>'],
  ];
  return (
    <>
      <Textarea
        ref={field}
        label={label}
        description={description}
        autosize
        minRows={rows}
        maxRows={16}
        value={value}
        onChange={(event) => change(event.currentTarget.value)}
        autoFocus={takesFocus}
      />
      {buttons(
        around.map(([name, before, after]) => (
          <Button key={name} size="compact-xs" variant="default" onClick={() => insert(before, after)}>
            {name}
          </Button>
        )),
        insert,
      )}
    </>
  );
}
