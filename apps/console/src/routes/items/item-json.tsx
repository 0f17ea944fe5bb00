import { Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { columnsOf } from '../../frame/shown-items';
import { item as ITEM } from '../../operations/schemas';
import { faultsBelow } from '../../ui/fault-places';
import JsonEditor from '../../ui/json-editor';
import type { JsonSchema } from '../../ui/json-lint';
import type { Draft, Others } from './draft';
import { type Status, STATUSES } from './filters';
import { withColumns } from './model';
import { useItemTexts } from './texts';
import { isObject, objectIn } from '../../ui/member-path';

/** Members that this editor does not change. Other parts of the screen do. */
const ELSEWHERE = ['reference', 'new_reference', 'if_revision', 'questions', 'features', 'authoring_workflow'];

const SCHEMA: JsonSchema = {
  ...ITEM,
  required: ['definition'],
  properties: Object.fromEntries(Object.entries(ITEM.properties).filter(([name]) => !ELSEWHERE.includes(name))),
};

interface ItemJsonProps {
  draft: Draft;
  change: (members: Partial<Draft>) => void;
  fault: unknown;
}

/** The whole item as JSON. The draft changes only when the text is a valid item. */
export default function ItemJson({ draft, change, fault }: ItemJsonProps) {
  const t = useItemTexts();
  const [text, setText] = useState(() => JSON.stringify(jsonOf(draft), null, 2));
  const [isKept, setKept] = useState(false);
  const faults = useMemo(() => faultsBelow(fault, '/items/0'), [fault]);

  function take(typed: string) {
    setText(typed);
    const members = membersIn(typed);
    setKept(members === undefined);
    if (members) change(members);
  }

  return (
    <Stack gap="xs">
      <Text size="sm">{t('item_json_help')}</Text>
      <JsonEditor label={t('item_json')} value={text} change={take} schema={SCHEMA} faults={faults} height="24rem" />
      {isKept && (
        <Text size="sm" role="alert">
          {t('json_kept')}
        </Text>
      )}
    </Stack>
  );
}

const jsonOf = ({ title, description, note, source, status, tags, columns, scoringType, others }: Draft) => ({
  title: title || null,
  description: description || null,
  note: note || null,
  source: source || null,
  status,
  tags,
  definition: withColumns(others.definition, columns),
  metadata: { ...others.metadata, scoring_type: scoringType },
  adaptive: others.adaptive ?? null,
  dynamic_content_data: others.dynamic_content_data ?? null,
});

type Json = Record<string, unknown>;
const isText = (value: unknown): value is string | null | undefined =>
  value === undefined || value === null || typeof value === 'string';
const isObjectOrNone = (value: unknown): boolean => value === undefined || value === null || isObject(value);

/** Reads the members of a draft from JSON; undefined for a text that is not an item. The editor lists the mistakes. */
function membersIn(text: string): Partial<Draft> | undefined {
  const value = objectIn(text);
  if (!value || !isObject(value.definition) || !isLayout(value.definition)) return undefined;
  const { title, description, note, source, status = 'unpublished', definition, metadata } = value;
  const tags = tagsIn(value.tags ?? {});
  if (![title, description, note, source].every(isText) || !STATUSES.includes(status as Status) || !tags)
    return undefined;
  if (![metadata, value.adaptive, value.dynamic_content_data].every(isObjectOrNone)) return undefined;
  const scoringType = (metadata as Json | null | undefined)?.scoring_type;
  const others = { definition, metadata, adaptive: value.adaptive, dynamic_content_data: value.dynamic_content_data };
  return {
    title: (title as string | null) ?? '',
    description: (description as string | null) ?? '',
    note: (note as string | null) ?? '',
    source: (source as string | null) ?? '',
    status: status as Status,
    tags,
    columns: columnsOf(definition),
    scoringType: typeof scoringType === 'string' ? scoringType : 'per-question',
    others: others as Others,
  };
}

const isWidgets = (value: unknown): boolean =>
  Array.isArray(value) && value.every((entry) => isObject(entry) && typeof entry.reference === 'string');

const isLayout = ({ widgets, regions }: Json): boolean =>
  (widgets === undefined || isWidgets(widgets)) &&
  (regions === undefined ||
    (Array.isArray(regions) && regions.every((region) => isObject(region) && isWidgets(region.widgets))));

/** Tags by type, or as a list of pairs. */
function tagsIn(value: unknown): Draft['tags'] | undefined {
  const found = new Map<string, string[]>();
  const pairs = Array.isArray(value)
    ? value.map((entry: unknown) => (isObject(entry) ? [entry.type, [entry.name]] : []))
    : isObject(value)
      ? Object.entries(value)
      : [[]];
  for (const [type, names] of pairs) {
    if (typeof type !== 'string' || !Array.isArray(names) || !names.every((name) => typeof name === 'string'))
      return undefined;
    found.set(type, [...(found.get(type) ?? []), ...names]);
  }
  return Object.fromEntries(found);
}
