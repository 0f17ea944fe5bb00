import { Fieldset, SegmentedControl, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useWorkplace } from '../../session/session';
import type { Draft } from './draft';
import { type Status, STATUSES } from './filters';
import { useItemTexts } from './texts';
import { part } from '../../ui/part';
import { tagLists, TagsField, tagTexts } from '../../ui/tags-field';

const ItemJson = part(() => import('./item-json'));

interface DetailsProps {
  draft: Draft;
  change: (members: Partial<Draft>) => void;
  stored: Status;
  /** Why the last save was refused. */
  fault: unknown;
}

/** The details of an item (title, description, tags and so on), as a form or as JSON of the whole item. */
export function ItemDetails({ draft, change, stored, fault }: DetailsProps) {
  const t = useItemTexts();
  const [view, setView] = useState('form');
  return (
    <Fieldset legend={t('details')}>
      <SegmentedControl
        size="xs"
        mb="xs"
        aria-label={t('details')}
        value={view}
        onChange={setView}
        data={[
          { value: 'form', label: t('item_fields') },
          { value: 'json', label: t('item_json') },
        ]}
      />
      {view === 'form' ? (
        <Fields draft={draft} change={change} stored={stored} />
      ) : (
        <Suspense>
          <ItemJson draft={draft} change={change} fault={fault} />
        </Suspense>
      )}
    </Fieldset>
  );
}

function Fields({ draft, change, stored }: Omit<DetailsProps, 'fault'>) {
  const t = useItemTexts();
  const { organisation } = useWorkplace();
  const mayPublish = organisation.roles.some((role) => role === 'reviewer' || role === 'operator');

  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={t('title')}
        value={draft.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <Select
        label={t('status')}
        description={stored === 'published' && !mayPublish ? t('reviewer_needed') : undefined}
        data={STATUSES.map((value) => ({ value, label: t(value), disabled: value === 'published' && !mayPublish }))}
        value={draft.status}
        allowDeselect={false}
        onChange={(value) => value && change({ status: value })}
      />
      <TagsField
        label={t('tags')}
        description={t('tags_help')}
        value={tagTexts(draft.tags)}
        change={(tags) => change({ tags: tagLists(tags, draft.tags) })}
        needsName
      />
      <Select
        label={t('scoring_type')}
        data={[
          { value: 'per-question', label: t('per_question') },
          { value: 'dichotomous', label: t('dichotomous') },
          { value: 'dependent', label: t('dependent') },
        ]}
        value={draft.scoringType}
        allowDeselect={false}
        onChange={(value) => value && change({ scoringType: value })}
      />
      <Textarea
        label={t('description')}
        autosize
        value={draft.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <Textarea
        label={t('note')}
        autosize
        value={draft.note}
        onChange={(event) => change({ note: event.currentTarget.value })}
      />
      <TextInput
        label={t('source')}
        value={draft.source}
        onChange={(event) => change({ source: event.currentTarget.value })}
      />
    </SimpleGrid>
  );
}
