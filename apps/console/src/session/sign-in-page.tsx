import { Alert, Anchor, Button, Center, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { type FormEvent } from 'react';
import { Fault } from '../operations/fault';
import { FaultAlert } from '../ui/fault-alert';
import { fieldOf } from '../ui/field-of';
import { useTitle } from '../ui/use-title';
import { signIn, type SignInOptions } from './session';
import { useSessionTexts } from './texts';
import { useTask } from '../ui/use-task';

/** The reasons in the address why a sign-in with OpenID Connect failed. */
const OPENID_FAILURES = ['refused', 'taken', 'unavailable', 'later', 'off', 'failed'] as const;

/** The texts for refused sign-ins, by the status of the answer. */
const REFUSALS: Record<number, 'wrong' | 'openid_later' | undefined> = { 401: 'wrong', 429: 'openid_later' };

/** @param hasEnded whether the person was signed in on this page, and the sign-in ended. */
export function SignInForm({
  options,
  hasEnded = false,
  done,
}: {
  options: SignInOptions;
  hasEnded?: boolean;
  done: () => Promise<void>;
}) {
  const t = useSessionTexts();
  const { run, isBusy, fault } = useTask();
  const failure = OPENID_FAILURES.find((each) => each === new URLSearchParams(location.search).get('openid'));

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const [email, password] = [fieldOf(event.currentTarget, 'email'), fieldOf(event.currentTarget, 'password')];
    void run(async () => {
      await signIn(email, password);
      await done();
    });
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        {hasEnded && <Alert>{t('signed_out')}</Alert>}
        {failure && (
          <Alert color="red" role="alert">
            {t(`openid_${failure}`)}
          </Alert>
        )}
        <SignInFault fault={fault} />
        <TextInput name="email" label={t('email')} type="email" autoComplete="username" required />
        <PasswordInput name="password" label={t('password')} autoComplete="current-password" required />
        <Button type="submit" loading={isBusy}>
          {t('sign_in')}
        </Button>
        {options.openid && (
          // In a page with unsaved work, the provider opens in another tab.
          <Button component="a" href="/console/openid" target={hasEnded ? '_blank' : undefined} variant="default">
            {t('with_openid')}
          </Button>
        )}
      </Stack>
    </form>
  );
}

/** Says why the sign-in was refused. */
function SignInFault({ fault }: { fault: unknown }) {
  const t = useSessionTexts();
  const refusal = fault instanceof Fault ? REFUSALS[fault.status] : undefined;
  if (refusal === undefined) return <FaultAlert fault={fault} />;
  return (
    <Alert color="red" role="alert">
      {t(refusal)}
    </Alert>
  );
}

export function SignInPage({ options, done }: { options: SignInOptions; done: () => Promise<void> }) {
  const t = useSessionTexts();
  return (
    <CentredPage title={t('sign_in')}>
      <SignInForm options={options} done={done} />
      <Anchor href="/docs">{t('guides')}</Anchor>
    </CentredPage>
  );
}

/** A page without navigation, for people who are not signed in or have no role. */
export function CentredPage({ title, children }: { title: string; children: React.ReactNode }) {
  useTitle(title);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420}>
        <Stack>
          <Title order={1} size="h2">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
