import { Tabs } from '@mantine/core';
import { useMay } from '../../session/session';
import { Page } from '../../ui/page';
import { useAddress } from '../../ui/use-address';
import { FreeQueue } from './free-queue';
import { Rounds } from './rounds/rounds';
import { useMarkingTexts } from './texts';

/** The search parameters that select answers of the free queue. */
const SELECTION = ['question', 'item', 'activity', 'session', 'at'];

/** Marking: rounds, and the free queue. */
export default function MarkingScreen() {
  const t = useMarkingTexts();
  const mayMark = useMay()('update sessions/responses/scores');
  const { get, list, set } = useAddress();
  const isQueue = get('tab') === 'queue' || (get('tab') === '' && SELECTION.some((name) => list(name).length > 0));
  if (!mayMark)
    return (
      <Page title={t('title')}>
        <Rounds />
      </Page>
    );
  return (
    <Page title={t('title')}>
      <Tabs value={isQueue ? 'queue' : 'rounds'} onChange={(tab) => set({ tab: tab ?? undefined })} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="rounds">{t('rounds')}</Tabs.Tab>
          <Tabs.Tab value="queue">{t('free_queue')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rounds">
          <Rounds />
        </Tabs.Panel>
        <Tabs.Panel value="queue">
          <FreeQueue />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
