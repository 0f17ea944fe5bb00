import { Anchor, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
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
  return (
    <Page title={t('error')}>
      <Text>{t('bug')}</Text>
      <FaultAlert fault={error} />
      <Button onClick={() => location.reload()} style={{ alignSelf: 'flex-start' }}>
        {t('reload')}
      </Button>
    </Page>
  );
}
