import { Anchor, Button, Group, Tabs, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { keyOf } from '../../operations/call';
import { useMay } from '../../session/session';
import { dateOf, numberOf } from '../../texts/texts';
import { Empty } from '../../ui/empty';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { useParam } from '../../ui/use-param';
import { StatusBadge } from './columns';
import type { WholeItem } from '../../frame/shown-items';
import { wholeItem } from './model';
import { ItemPreview } from './preview';
import { PublishButton } from './publish-button';
import { useItemTexts } from './texts';
import { TryIt } from './try-it';
import { inPath } from '../../ui/in-path';
import { part } from '../../ui/part';

const Editor = part(() => import('./editor'));

/** One item: as learners see it, to try, and to edit. */
export default function ItemScreen() {
  const t = useItemTexts();
  const reference = useParam('reference');
  const query = useQuery(wholeItem(reference));
  if (query.data) return <Whole key={query.data.item.reference} whole={query.data} />;
  return (
    <Page title={reference}>
      <Loaded query={query}>
        {() => (
          <Empty title={t('not_found')}>
            <Anchor component={Link} to="/items">
              {t('back')}
            </Anchor>
          </Empty>
        )}
      </Loaded>
    </Page>
  );
}

function Whole({ whole }: { whole: WholeItem }) {
  const t = useItemTexts();
  const may = useMay();
  const { tab } = useSearch({ strict: false });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { item } = whole;
  const reread = () => queries.invalidateQueries({ queryKey: keyOf('get itembank/items') });
  const mayEdit = may('set itembank/items') && may('set itembank/questions');
  const mayTry = may('get scoring');
  // The address may come from a person with other roles.
  const shown = tab === 'try' && mayTry ? 'try' : tab === 'edit' && mayEdit ? 'edit' : 'view';

  return (
    <Page
      title={item.title ?? item.reference}
      actions={
        <>
          <StatusBadge status={item.status} />
          {may('get itembank/history') && (
            <Button
              variant="default"
              renderRoot={(props) => <Link to={`/history/item/${inPath(item.reference)}`} {...props} />}
            >
              {t('history')}
            </Button>
          )}
          {may('set itembank/items') && <PublishButton whole={whole} changed={reread} />}
        </>
      }
    >
      <Group gap="md">
        <Text size="sm" className="wrap">
          {t('reference')}: <code>{item.reference}</code>
        </Text>
        {item.max_score !== undefined && <Text size="sm">{t('max_score', numberOf(item.max_score))}</Text>}
        <Text size="sm">
          {t('updated')}: {dateOf(item.dt_updated)}
        </Text>
      </Group>
      <Tabs
        value={shown}
        onChange={(value) => void navigate({ to: '.', search: value === 'view' ? {} : { tab: value }, replace: true })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="view">{t('preview')}</Tabs.Tab>
          {mayTry && <Tabs.Tab value="try">{t('try_it')}</Tabs.Tab>}
          {mayEdit && <Tabs.Tab value="edit">{t('edit')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="view" pt="md">
          <ItemPreview whole={whole} />
        </Tabs.Panel>
        <Tabs.Panel value="try" pt="md">
          <TryIt whole={whole} />
        </Tabs.Panel>
        <Tabs.Panel value="edit" pt="md">
          <Suspense>
            <Editor whole={whole} reread={reread} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
