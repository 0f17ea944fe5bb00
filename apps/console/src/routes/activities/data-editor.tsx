import { Button, Group, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { activity } from '../../operations/schemas';
import { faultsBelow } from '../../ui/fault-places';
import JsonEditor from '../../ui/json-editor';
import type { Data, Draft } from './model';
import { useActivityTexts } from './texts';

interface DataEditorProps {
  draft: Draft;
  change: (next: Partial<Draft>) => void;
  mayEdit: boolean;
  fault: unknown;
}

/** Edits the whole definition as JSON, for members without a field. */
export default function DataEditor({ draft, change, mayEdit, fault }: DataEditorProps) {
  const t = useActivityTexts();
  const stored = JSON.stringify(draft.data, null, 2);
  const [text, setText] = useState(stored);
  const parsed = dataIn(text);
  const faults = useMemo(() => faultsBelow(fault, '/activities/0/data'), [fault]);
  return (
    <Stack>
      <Text size="sm">{t('json_help')}</Text>
      <JsonEditor
        label={t('tab_json')}
        value={text}
        change={setText}
        isReadOnly={!mayEdit}
        schema={activity.properties.data}
        faults={faults}
      />
      {mayEdit && (
        <Group>
          <Button
            variant="default"
            disabled={!parsed || text === stored}
            onClick={() => {
              change({ data: parsed! });
              setText(JSON.stringify(parsed, null, 2));
            }}
          >
            {t('apply')}
          </Button>
          {!parsed && (
            <Text size="sm" role="alert">
              {t('not_json')}
            </Text>
          )}
        </Group>
      )}
    </Stack>
  );
}

function dataIn(text: string): Data | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : null;
  } catch {
    return null;
  }
}
