import { Button, Code, CopyButton, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { CopyField } from '../../ui/copy-field';
import { Dialog } from '../../ui/dialog';
import type { NewSecret } from './consumers';
import { asPython, asShell, domainToSign } from './first-call';
import { useConsumerTexts } from './texts';

interface SecretDialogProps {
  title: string;
  made: (NewSecret & { domains: readonly string[] }) | undefined;
  close: () => void;
}

/** Shows a new secret, which nobody can read again, and examples of a first call with it. */
export function SecretDialog({ title, made, close }: SecretDialogProps) {
  const t = useConsumerTexts();
  return (
    <Dialog title={title} isOpen={made !== undefined} close={close} size="xl" mustBeClosed>
      {made && (
        <Stack>
          <Text>{t('secret_help')}</Text>
          <CopyField label={t('key')} value={made.key} />
          <CopyField label={t('secret')} value={made.secret} />
          <Title order={3} size="h5">
            {t('first_call')}
          </Title>
          <Examples made={made} />
          <Group justify="flex-end">
            <Button onClick={close}>{t('close')}</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

function Examples({ made: { key, secret, domains } }: { made: NewSecret & { domains: readonly string[] } }) {
  const t = useConsumerTexts();
  const caller = { key, secret, domain: domainToSign(domains), url: location.origin };
  return (
    <Tabs defaultValue="shell">
      <Tabs.List>
        <Tabs.Tab value="shell">{t('shell')}</Tabs.Tab>
        <Tabs.Tab value="python">Python</Tabs.Tab>
      </Tabs.List>
      {(
        [
          ['shell', asShell(caller)],
          ['python', asPython(caller)],
        ] as const
      ).map(([name, text]) => (
        <Tabs.Panel key={name} value={name} pt="xs">
          <Stack gap="xs" align="flex-start">
            <Code block tabIndex={0} w="100%">
              {text}
            </Code>
            <CopyButton value={text}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {t(copied ? 'example_copied' : 'copy_example')}
                </Button>
              )}
            </CopyButton>
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
