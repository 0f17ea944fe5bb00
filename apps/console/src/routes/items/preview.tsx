import { SegmentedControl, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { ContentFrame } from '../../frame/content-frame';
import { hasKey, useRightAnswers } from '../../frame/right-answers';
import { shownItem, type WholeItem } from '../../frame/shown-items';
import { QueryFault } from '../../ui/loaded';
import { useItemTexts } from './texts';

/** An item as learners see it, and with its right answers where there is a key. */
export function ItemPreview({ whole: { item, widgets } }: { whole: WholeItem }) {
  const t = useItemTexts();
  const [view, setView] = useState<'learner' | 'key'>('learner');
  const keyed = widgets.filter(({ data }) => hasKey(data)).map((widget) => ({ ...widget, id: widget.reference }));
  const right = useRightAnswers(view === 'key' ? keyed : []);
  const items = useMemo(
    () => [
      shownItem({ item, widgets }, ({ reference }) =>
        view === 'key' ? { review: { score: null, maxScore: null, correct: right.data?.get(reference) } } : {},
      ),
    ],
    [item, widgets, view, right.data],
  );
  return (
    <Stack gap="xs">
      {keyed.length > 0 && (
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
      <QueryFault query={right} />
      <ContentFrame items={items} mode={view === 'key' ? 'review' : 'preview'} />
    </Stack>
  );
}
