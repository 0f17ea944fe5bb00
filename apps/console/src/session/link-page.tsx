import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { FaultAlert } from '../ui/fault-alert';
import { followLink, lookAtLink } from './session';
import { CentredPage } from './sign-in-page';
import { useSessionTexts } from './texts';
import { useTask } from '../ui/use-task';

/** The page behind a link that an operator or the command line gave out. The secret is after the #. */
export function LinkPage({ done }: { done: () => Promise<void> }) {
  const t = useSessionTexts();
  const [secret] = useState(() => location.hash.slice(1));
  const [link, setLink] = useState<Awaited<ReturnType<typeof lookAtLink>>>();
  const [isOver, setOver] = useState(false);
  const { run, isBusy, fault } = useTask();

  useEffect(() => {
    lookAtLink(secret).then(setLink, () => setOver(true));
  }, [secret]);

  function follow(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('password');
    void run(async () => {
      await followLink(secret, typeof password === 'string' ? password : undefined);
      history.replaceState(null, '', '/console/');
      await done();
    });
  }

  if (isOver)
    return (
      <CentredPage title={t('link_over')}>
        <Text>{t('link_over_help')}</Text>
        <Anchor href="/console/">{t('back_to_sign_in')}</Anchor>
      </CentredPage>
    );
  if (!link) return <CentredPage title={t('loading')}>{null}</CentredPage>;
  const needsPassword = link.purpose !== 'sign-in';
  return (
    <CentredPage title={needsPassword ? t('choose_password') : t('welcome', link.email)}>
      <form onSubmit={follow}>
        <Stack>
          <FaultAlert fault={fault} />
          {needsPassword && (
            <>
              <Text>{link.email}</Text>
              <input type="hidden" name="username" autoComplete="username" value={link.email} readOnly />
              <PasswordInput
                name="password"
                label={t('new_password')}
                description={t('password_help')}
                autoComplete="new-password"
                required
              />
            </>
          )}
          <Button type="submit" loading={isBusy}>
            {needsPassword ? t('sign_in') : t('continue_as', link.email)}
          </Button>
        </Stack>
      </form>
    </CentredPage>
  );
}
