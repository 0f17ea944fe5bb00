import { Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { activity } from '../../operations/schemas';
import { faultsBelow } from '../../ui/fault-places';
import JsonEditor from '../../ui/json-editor';
import type { Draft } from './model';
import { useActivityTexts } from './texts';
import { objectIn } from '../../ui/member-path';

interface DataEditorProps {
  draft: Draft;
  change: (next: Partial<Draft>) => void;
  mayEdit: boolean;
  fault: unknown;
}

/** Edits the whole definition as JSON, for members without a field. The draft changes only when the text is an object. */
export default function DataEditor({ draft, change, mayEdit, fault }: DataEditorProps) {
  const t = useActivityTexts();
  const stored = JSON.stringify(draft.data, null, 2);
  // The text as it is typed, and the definition that it gave last.
  const [typed, setTyped] = useState({ text: stored, taken: stored });
  // The draft was discarded, or replaced by another version.
  if (typed.taken !== stored) setTyped({ text: stored, taken: stored });
  const take = (text: string) => {
    const data = objectIn(text);
    setTyped({ text, taken: data ? JSON.stringify(data, null, 2) : typed.taken });
    if (data) change({ data });
  };
  const faults = useMemo(() => faultsBelow(fault, '/activities/0/data'), [fault]);
  return (
    <Stack>
      <Text size="sm">{t('json_help')}</Text>
      <JsonEditor
        label={t('tab_json')}
        value={typed.text}
        change={take}
        isReadOnly={!mayEdit}
        schema={activity.properties.data}
        faults={faults}
      />
      {!objectIn(typed.text) && (
        <Text size="sm" role="alert">
          {t('not_json')}
        </Text>
      )}
    </Stack>
  );
}
