import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';

interface AddButtonProps {
  /** `default` beside a button that matters more. */
  variant?: 'default';
  onClick: () => void;
  children: string;
}

/** A button with a plus sign, which adds an entry or opens the form of a new one. */
export function AddButton(props: AddButtonProps) {
  return <Button leftSection={<IconPlus size={16} aria-hidden />} {...props} />;
}
