import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

interface DelayedTextProps extends Pick<TextInputProps, 'label' | 'type' | 'maw' | 'maxLength'> {
  value: string;
  change: (value: string) => void;
}

/** A text that takes effect shortly after typing ends. */
export function DelayedText({ value, change, ...field }: DelayedTextProps) {
  const [typed, setTyped] = useState(value);
  const [given, setGiven] = useState(value);
  const send = useDebouncedCallback((text: string) => change(text.trim()), 300);
  // The address changed by other means, such as a link or a cleared filter.
  if (value !== given) {
    setGiven(value);
    if (value !== typed.trim()) setTyped(value);
  }
  return (
    <TextInput
      {...field}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
    />
  );
}
