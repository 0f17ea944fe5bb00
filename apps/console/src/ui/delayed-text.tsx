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
  const [sent, setSent] = useState(value);
  const send = useDebouncedCallback((text: string) => {
    setSent(text.trim());
    change(text.trim());
  }, 300);
  if (value !== given) {
    setGiven(value);
    // The address changed by other means, such as a link or a cleared filter. What was sent comes back while a person types on.
    if (value !== sent) {
      setTyped(value);
      setSent(value);
    }
  }
  return (
    <TextInput
      {...field}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
      // Later, the text would undo what the person presses next.
      onBlur={() => send.flush()}
    />
  );
}
