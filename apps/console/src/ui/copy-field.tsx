import { Button, CopyButton, Group, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useUiTexts } from './texts';

/** A text to be taken elsewhere, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const t = useUiTexts();
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        label={label}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        style={{ flex: '1 1 200px' }}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            onClick={copy}
            aria-label={`${t(copied ? 'copied' : 'copy')}: ${label}`}
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          >
            {t(copied ? 'copied' : 'copy')}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
