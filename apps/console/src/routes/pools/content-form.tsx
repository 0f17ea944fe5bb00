import { Button, Fieldset, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { FaultPlace } from '../../operations/fault';
import { pool } from '../../operations/schemas';
import { TagsField } from '../../ui/tags-field';
import { namesIn } from '../activities/names';
import { combinationsOf, type Content, contentIn, type List, LISTS, withCombinations } from './model';
import { usePoolTexts } from './texts';
import { part } from '../../ui/part';

const JsonEditor = part(() => import('../../ui/json-editor'));

interface ContentFormProps {
  content: Content;
  /** Null: the text is not valid content. */
  change: (content: Content | null) => void;
  /** Faults, with pointers into the content. */
  faults: readonly FaultPlace[];
}

/** The content that a fill puts into a pool, as a form or as JSON. */
export function ContentForm({ content, change, faults }: ContentFormProps) {
  const t = usePoolTexts();
  const [text, setText] = useState<string | null>(null);
  const errorAt = (member: string) => faults.find(({ pointer }) => pointer.startsWith(`/${member}`))?.message;
  const isJson = text !== null;
  return (
    <Fieldset legend={t('content')}>
      <Stack>
        <Text size="sm">{t('content_help')}</Text>
        <SegmentedControl
          aria-label={t('view')}
          value={isJson ? 'json' : 'form'}
          onChange={(value) => {
            setText(value === 'json' ? JSON.stringify(content, null, 2) : null);
            change(content);
          }}
          data={[
            { value: 'form', label: t('as_form') },
            { value: 'json', label: t('as_json') },
          ]}
          style={{ alignSelf: 'flex-start' }}
        />
        {isJson ? (
          <>
            <Suspense>
              <JsonEditor
                label={t('content')}
                value={text}
                change={(next) => {
                  setText(next);
                  change(contentIn(next));
                }}
                schema={pool.properties.content}
                faults={faults}
                height="240px"
              />
            </Suspense>
            {!contentIn(text) && (
              <Text size="sm" role="alert">
                {t('not_json')}
              </Text>
            )}
          </>
        ) : (
          <>
            {(['item_references', 'activity_references'] as const).map((member) => (
              <Textarea
                key={member}
                label={t(member)}
                description={t('one_a_line')}
                defaultValue={(content[member] ?? []).join('\n')}
                onChange={({ currentTarget: { value } }) => change({ ...content, [member]: namesIn(value) })}
                error={errorAt(member)}
                autosize
                minRows={1}
                maxRows={8}
              />
            ))}
            {LISTS.map((list) => (
              <Combinations key={list} list={list} content={content} change={change} error={errorAt(list)} />
            ))}
          </>
        )}
      </Stack>
    </Fieldset>
  );
}

interface CombinationsProps {
  list: List;
  content: Content;
  change: (content: Content) => void;
  error?: string;
}

function Combinations({ list, content, change, error }: CombinationsProps) {
  const t = usePoolTexts();
  const entries = combinationsOf(content, list);
  const set = (next: typeof entries) => change(withCombinations(content, list, next));
  return (
    <Stack gap="xs" role="group" aria-label={t(`entries_${list}`)}>
      <Text fw={500} size="sm">
        {t(`entries_${list}`)}
      </Text>
      {error && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
      {entries.map((entry, index) => {
        const replace = (next: Partial<typeof entry>) =>
          set(entries.map((each, at) => (at === index ? { ...each, ...next } : each)));
        return (
          <Group key={index} align="flex-end" gap="xs" role="group" aria-label={t('combination', index + 1)}>
            <div style={{ flex: '1 1 200px' }}>
              <TagsField label={t('all_of')} value={entry.all} change={(all) => replace({ all })} />
            </div>
            <div style={{ flex: '1 1 200px' }}>
              <TagsField label={t('one_of')} value={entry.one} change={(one) => replace({ one })} />
            </div>
            <Button variant="default" onClick={() => set(entries.filter((_, at) => at !== index))}>
              {t('remove_combination', index + 1)}
            </Button>
          </Group>
        );
      })}
      <Group>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`${t('add_combination')}: ${t(`entries_${list}`)}`}
          onClick={() => set([...entries, { all: [], one: [] }])}
        >
          {t('add_combination')}
        </Button>
      </Group>
    </Stack>
  );
}
