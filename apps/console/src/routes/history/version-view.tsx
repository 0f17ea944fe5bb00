import { Group, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ContentFrame } from '../../frame/content-frame';
import { useRightAnswers } from '../../frame/right-answers';
import { type Extras, shownAlone, shownItem } from '../../frame/shown-items';
import { Loaded, QueryFault } from '../../ui/loaded';
import { useHistoryTexts } from './texts';
import { type Kind, type Moment, listsThen, type Version, version } from './versions';

interface VersionViewProps {
  kind: Kind;
  moment: Moment;
  title: string;
  showsKey: boolean;
  /** The level of its heading. */
  order?: 2 | 3;
}

/** The state of a record at a moment. */
export function VersionView({ kind, moment, title, showsKey, order = 3 }: VersionViewProps) {
  const t = useHistoryTexts();
  const query = useQuery(version(kind, moment));
  return (
    <Stack gap="xs" style={{ flex: '1 1 320px', minWidth: 0 }}>
      <Title order={order} size="h5" className="wrap">
        {title}
      </Title>
      <Loaded query={query}>
        {(found) =>
          found ? <Shown version={found} showsKey={showsKey} title={title} /> : <Text>{t('not_then')}</Text>
        }
      </Loaded>
    </Stack>
  );
}

function Shown({ version: shown, showsKey, title }: { version: Version; showsKey: boolean; title: string }) {
  const widgets = shown.kind === 'item' ? shown.whole.widgets : shown.kind === 'question' ? [shown.widget] : [];
  const right = useRightAnswers(showsKey ? widgets.map((widget) => ({ ...widget, id: widget.reference })) : []);
  const items = useMemo(() => {
    const withKey: Extras = ({ reference }) => ({
      review: { score: null, maxScore: null, correct: right.data?.get(reference) },
    });
    const extras = showsKey ? withKey : undefined;
    if (shown.kind === 'activity') return [];
    return [shown.kind === 'item' ? shownItem(shown.whole, extras) : shownAlone(shown.widget, extras)];
  }, [shown, showsKey, right.data]);
  if (shown.kind === 'activity') return <ActivityThen version={shown} />;
  return (
    <Stack gap="xs" bd="1px solid var(--mantine-color-default-border)" bdrs="sm" p="xs">
      {shown.kind === 'item' && shown.whole.item.title && (
        <Text size="sm" fw={600} className="wrap">
          {shown.whole.item.title}
        </Text>
      )}
      <QueryFault query={right} />
      <ContentFrame items={items} mode={showsKey ? 'review' : 'preview'} title={title} />
    </Stack>
  );
}

function ActivityThen({ version: { activity, titles } }: { version: Extract<Version, { kind: 'activity' }> }) {
  const t = useHistoryTexts();
  const sections = listsThen(activity.data).filter(({ title, items }) => title !== undefined || items.length > 0);
  return (
    <Stack gap="xs" bd="1px solid var(--mantine-color-default-border)" bdrs="sm" p="xs">
      <Text fw={600} className="wrap">
        {activity.title ?? activity.reference}
      </Text>
      {activity.description && <Text size="sm">{activity.description}</Text>}
      {sections.length === 0 && <Text c="dimmed">{t('no_items')}</Text>}
      {sections.map(({ title, items }, index) => (
        <Stack key={index} gap={4}>
          {title !== undefined && (
            <Text size="sm" fw={600}>
              {title || t('section', index)}
            </Text>
          )}
          <List type="ordered" size="sm" aria-label={title || t('items_then')}>
            {items.map((reference) => (
              <List.Item key={reference} className="wrap">
                <Group gap={6} component="span">
                  <span>{reference}</span>
                  <Text span size="sm" c="dimmed">
                    {titles.get(reference)}
                  </Text>
                </Group>
              </List.Item>
            ))}
          </List>
        </Stack>
      ))}
    </Stack>
  );
}
