import { Alert, Button, Group, Tabs, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { call, keyOf } from '../../operations/call';
import { Fault } from '../../operations/fault';
import type { Activity } from '../../operations/operations';
import { useMay, useWorkplace } from '../../session/session';
import { dateOf } from '../../texts/texts';
import { Ask } from '../../ui/dialog';
import { Empty } from '../../ui/empty';
import { FaultAlert } from '../../ui/fault-alert';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { toast } from '../../ui/toast';
import { useAddress } from '../../ui/use-address';
import { useTask } from '../../ui/use-task';
import { activityQuery } from './activity-query';
import { Conflict } from './conflict';
import { DuplicateActivity } from './duplicate';
import { ItemsEditor } from './items-editor';
import { allItems, inputOf, referenceOf } from './model';
import { OfflinePackage } from './offline-package';
import { Settings } from './settings';
import { useActivityTexts } from './texts';
import { TryIt } from './try-it';
import { useDraft } from './use-draft';
import { inPath } from '../../ui/in-path';
import { useParam } from '../../ui/use-param';
import { part } from '../../ui/part';

const DataEditor = part(() => import('./data-editor'));

/** An activity: its items, its settings, and a trial run. */
export default function ActivityScreen() {
  const t = useActivityTexts();
  const { organisation } = useWorkplace();
  const reference = useParam('reference');
  const query = useQuery(activityQuery(reference));
  if (query.data) return <Editor key={`${organisation.id} ${query.data.reference}`} first={query.data} />;
  return (
    <Page title={reference}>
      <Loaded query={query}>
        {() => (
          <Empty title={t('unknown')} help={t('unknown_help')}>
            <Button variant="default" component={Link} to="/activities">
              {t('activities')}
            </Button>
          </Empty>
        )}
      </Loaded>
    </Page>
  );
}

const TABS = ['items', 'settings', 'try', 'json'] as const;

function Editor({ first }: { first: Activity }) {
  const t = useActivityTexts();
  const may = useMay();
  const queries = useQueryClient();
  const address = useAddress();
  const { reference } = first;
  const { draft, revision, isDirty, wasKept, change, rebase } = useDraft(first);
  const { run, isBusy, fault, clear } = useTask();
  const [theirs, setTheirs] = useState<Activity | null>(null);
  const [isDiscarding, setDiscarding] = useState(false);
  const [isDuplicating, setDuplicating] = useState(false);
  const [isPacking, setPacking] = useState(false);
  const mayEdit = may('set itembank/activities');
  const tab = TABS.find((each) => each === address.get('tab')) ?? 'items';

  /** The stored activity. */
  const latest = async () => {
    await queries.invalidateQueries({ queryKey: keyOf('get itembank/activities') });
    return queries.fetchQuery({ ...activityQuery(reference), staleTime: 0 });
  };

  async function save() {
    try {
      await call('set itembank/activities', { activities: [inputOf(first, draft, revision)] });
    } catch (error) {
      if (!(error instanceof Fault && error.isConflict)) throw error;
      setTheirs(await latest());
      return;
    }
    const stored = await latest();
    // Keeps what was typed since then.
    if (stored) rebase(stored, draft);
    toast(t('saved'));
  }

  const discard = async () => {
    const stored = await latest();
    if (stored) rebase(stored, draft);
    clear();
  };

  return (
    <Page
      title={draft.title || reference}
      actions={
        <>
          {may('get itembank/history') && (
            <Button variant="default" component={Link} to={`/history/activity/${inPath(reference)}`}>
              {t('history')}
            </Button>
          )}
          {may('set itembank/activities/duplicate') && (
            <Button variant="default" onClick={() => setDuplicating(true)}>
              {t('duplicate')}
            </Button>
          )}
          {may('get itembank/offlinepackage') && (
            <Button variant="default" onClick={() => setPacking(true)}>
              {t('offline')}
            </Button>
          )}
          {mayEdit && (
            <Button disabled={!isDirty} loading={isBusy} onClick={() => void run(save)}>
              {t('save')}
            </Button>
          )}
        </>
      }
    >
      <Group gap="xs">
        {draft.title && (
          <Text c="dimmed" className="wrap">
            {reference}
          </Text>
        )}
        <Text>{t(draft.status)}</Text>
        {isDirty && (
          <>
            <Text fw={600} role="status">
              {t('unsaved')}
            </Text>
            <Button size="compact-sm" variant="subtle" onClick={() => setDiscarding(true)}>
              {t('discard')}
            </Button>
          </>
        )}
      </Group>
      {wasKept !== null && isDirty && <Alert>{t('kept', dateOf(wasKept.at), dateOf(wasKept.until))}</Alert>}
      <FaultAlert fault={fault} />
      <Tabs
        value={tab}
        onChange={(value) => address.set({ tab: value === 'items' ? '' : (value ?? '') }, true)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`tab_${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="items">
          <ItemsEditor draft={draft} change={change} mayEdit={mayEdit} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <Settings draft={draft} change={change} mayEdit={mayEdit} fault={fault} />
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <TryIt references={allItems(draft.data).map(referenceOf)} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <Suspense>
            <DataEditor draft={draft} change={change} mayEdit={mayEdit} fault={fault} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
      {theirs && (
        <Conflict
          theirs={theirs}
          base={revision}
          close={() => setTheirs(null)}
          decide={(mine) => {
            rebase(theirs, mine ? undefined : draft);
            setTheirs(null);
          }}
        />
      )}
      <Ask
        title={t('discard')}
        text={t('discard_text')}
        action={t('discard')}
        isOpen={isDiscarding}
        close={() => setDiscarding(false)}
        work={discard}
      />
      {isDuplicating && (
        <DuplicateActivity reference={reference} isDirty={isDirty} close={() => setDuplicating(false)} />
      )}
      {isPacking && <OfflinePackage activity={first} isDirty={isDirty} close={() => setPacking(false)} />}
    </Page>
  );
}
