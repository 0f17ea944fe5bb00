import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../operations/call';
import type { Activity } from '../../operations/operations';
import { dateOf } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { Loaded } from '../../ui/loaded';
import { Changes } from '../history/changes';
import { useActivityTexts } from './texts';

interface ConflictProps {
  /** The activity as somebody else saved it meanwhile. */
  theirs: Activity;
  /** The revision on which the local changes are based. */
  base: number;
  close: () => void;
  decide: (mine: boolean) => void;
}

/** Shows the changes of another person who saved the activity meanwhile, and lets the person choose a version. */
export function Conflict({ theirs, base, close, decide }: ConflictProps) {
  const t = useActivityTexts();
  const input = { kind: 'activity' as const, references: [theirs.reference], limit: 50 };
  const history = useQuery({ ...read('get itembank/history', input), staleTime: 0 });
  return (
    <Dialog title={t('conflict')} isOpen close={close} size="xl">
      <Stack>
        <Text>{t('conflict_text', dateOf(theirs.dt_updated))}</Text>
        <Title order={3} size="h5">
          {t('their_changes')}
        </Title>
        <Loaded query={history}>
          {({ data: revisions }) => {
            const [present] = revisions;
            const from = revisions.find(({ revision }) => revision === base);
            return present && from ? (
              <Changes kind="activity" from={from} to={present} present={present} />
            ) : (
              <Text>{t('many_changes')}</Text>
            );
          }}
        </Loaded>
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {t('cancel')}
          </Button>
          <Button variant="default" onClick={() => decide(false)}>
            {t('take_theirs')}
          </Button>
          <Button onClick={() => decide(true)}>{t('keep_mine')}</Button>
        </Group>
        <Text size="sm" c="dimmed">
          {t('conflict_help')}
        </Text>
      </Stack>
    </Dialog>
  );
}
