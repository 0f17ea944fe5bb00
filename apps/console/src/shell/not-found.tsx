import { Anchor, Button, Text } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { Unreachable } from '../operations/fault';
import { FaultAlert } from '../ui/fault-alert';
import { Page } from '../ui/page';
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

/** Replaces a screen that has failed; the others go on. */
export function ScreenFault({ error }: { error: unknown }) {
  const t = useUiTexts();
  const router = useRouter();
  const isLost = error instanceof Unreachable;
  return (
    <Page title={t('error')}>
      {!isLost && <Text>{t('bug')}</Text>}
      <FaultAlert fault={error} />
      <Button
        onClick={() => (isLost ? void router.invalidate() : location.reload())}
        style={{ alignSelf: 'flex-start' }}
      >
        {t(isLost ? 'try_again' : 'reload')}
      </Button>
    </Page>
  );
}
