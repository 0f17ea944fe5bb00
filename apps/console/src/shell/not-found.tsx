import { Anchor, Text } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { Page } from '../ui/page';
import { Failed } from '../ui/part';
import { useUiTexts } from '../ui/texts';
import { useShellTexts } from './texts';

export function NotFound() {
  const t = useShellTexts();
  return (
    <Page title={t('not_found')}>
      <Text>{t('not_found_help')}</Text>
      <Anchor component={Link} to="/">
        {t('to_start')}
      </Anchor>
    </Page>
  );
}

/** Replaces a screen that the person's roles do not include. @param name of the screen. */
export function OtherRole({ name }: { name: string }) {
  const t = useShellTexts();
  return (
    <Page title={name}>
      <Text>{t('other_role', name)}</Text>
      <Anchor component={Link} to="/">
        {t('to_start')}
      </Anchor>
    </Page>
  );
}

/** Replaces a screen that has failed; the others go on. */
export function ScreenFault({ error }: { error: unknown }) {
  const t = useUiTexts();
  const router = useRouter();
  return (
    <Page title={t('error')}>
      <Failed error={error} retry={() => void router.invalidate()} />
    </Page>
  );
}
