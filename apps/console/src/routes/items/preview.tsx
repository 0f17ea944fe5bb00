import { SegmentedControl, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { ContentFrame } from '../../frame/content-frame';
import { rightAnswer, shownItem, type WholeItem } from '../../frame/shown-items';
import { useItemTexts } from './texts';

/** An item as learners see it, and with its right answers where there is a key. */
export function ItemPreview({ whole: { item, widgets } }: { whole: WholeItem }) {
  const t = useItemTexts();
  const [view, setView] = useState<'learner' | 'key'>('learner');
  const hasKey = widgets.some(({ data }) => rightAnswer(data) !== undefined);
  const items = useMemo(
    () => [
      shownItem({ item, widgets }, ({ data }) =>
        view === 'key' ? { review: { score: null, maxScore: null, correct: rightAnswer(data) } } : {},
      ),
    ],
    [item, widgets, view],
  );
  return (
    <Stack gap="xs">
      {hasKey && (
        <SegmentedControl
          size="xs"
          value={view}
          onChange={(value) => setView(value)}
          data={[
            { value: 'learner', label: t('learner_view') },
            { value: 'key', label: t('with_key') },
          ]}
          style={{ alignSelf: 'flex-start' }}
        />
      )}
      <ContentFrame items={items} mode={view === 'key' ? 'review' : 'preview'} />
    </Stack>
  );
}
