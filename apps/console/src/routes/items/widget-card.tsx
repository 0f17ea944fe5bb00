import { Button, Group, Paper, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type DragEvent, Suspense, useMemo, useState } from 'react';
import type { Widget } from '../../frame/shown-items';
import { read } from '../../operations/call';
import { widget as widgetSchema } from '../../operations/schemas';
import { useTypeNames } from '../../texts/use-type-names';
import { RowButtons } from './forms/fields';
import { MoreSettings } from './forms/more-settings';
import { fitsForm } from './forms/fits';
import { FORMS } from './forms/index';
import { plainText } from './model';
import { useItemTexts } from './texts';
import { part } from '../../ui/part';
import { objectIn } from '../../ui/member-path';

const JsonEditor = part(() => import('../../ui/json-editor'));

interface WidgetCardProps {
  widget: Widget;
  index: number;
  count: number;
  /** Whether this is the only widget of the item, which must keep one. */
  isOnly: boolean;
  change: (data: Record<string, unknown>) => void;
  move: (from: number, to: number) => void;
  remove: () => void;
  toOtherColumn?: () => void;
  /** Called when another card was dropped on the upper or lower half of this one. */
  drop: (reference: string, isAfter: boolean) => void;
}

const DRAGGED = 'application/x-itembank-widget';

/** The handlers of an area onto which cards can be dropped. Buttons move cards too. */
export const dropArea = (drop: (reference: string, isAfter: boolean) => void) => ({
  onDragOver: (event: DragEvent<HTMLElement>) => {
    if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault();
  },
  onDrop: (event: DragEvent<HTMLElement>) => {
    const reference = event.dataTransfer.getData(DRAGGED);
    if (reference === '') return;
    event.preventDefault();
    event.stopPropagation();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    drop(reference, event.clientY > top + height / 2);
  },
});

/** A question or feature of an item: its form, or its JSON. */
export function WidgetCard({
  widget,
  index,
  count,
  isOnly,
  change,
  move,
  remove,
  toOtherColumn,
  drop,
}: WidgetCardProps) {
  const t = useItemTexts();
  const typeName = useTypeNames();
  const known = FORMS[widget.type];
  const [view, setView] = useState<'closed' | 'form' | 'json'>(widget.revision === undefined ? 'form' : 'closed');
  const hasForm = known !== undefined && fitsForm(widget.type, widget.data);
  const shown = view === 'form' && !hasForm ? 'json' : view;
  const Form = known?.form;
  return (
    <Paper
      withBorder
      p="sm"
      component="section"
      aria-label={widget.reference}
      {...dropArea((dropped, isAfter) => dropped !== widget.reference && drop(dropped, isAfter))}
    >
      <Group
        justify="space-between"
        align="flex-start"
        draggable={!isOnly}
        onDragStart={(event) => {
          event.dataTransfer.setData(DRAGGED, widget.reference);
          event.dataTransfer.effectAllowed = 'move';
        }}
        style={{ cursor: isOnly ? undefined : 'grab' }}
      >
        <Stack gap={0} style={{ flex: '1 1 12rem', minWidth: 0 }}>
          <Text fw={600}>{typeName(widget.type)}</Text>
          <Text size="xs" c="dimmed" className="wrap">
            {widget.reference}
          </Text>
        </Stack>
        <Group gap={4}>
          {toOtherColumn && (
            <Button size="compact-xs" variant="subtle" onClick={toOtherColumn}>
              {t('move_column')}
            </Button>
          )}
          <RowButtons
            name={widget.reference}
            index={index}
            count={count}
            min={isOnly ? 1 : 0}
            move={move}
            remove={remove}
          />
        </Group>
      </Group>
      {shown === 'closed' && (
        <Text size="sm" lineClamp={2} className="wrap">
          {plainText(widget.data.stimulus) || plainText(widget.data.heading) || plainText(widget.data.content)}
        </Text>
      )}
      <SegmentedControl
        size="xs"
        mt="xs"
        aria-label={widget.reference}
        value={shown}
        onChange={(value) => setView(value as typeof view)}
        data={[
          { value: 'closed', label: t('close') },
          ...(hasForm ? [{ value: 'form', label: t('form') }] : []),
          { value: 'json', label: t('json') },
        ]}
      />
      {shown === 'form' && Form && (
        // The form appears as a whole. A field that came later would move what somebody is about to press.
        <Suspense fallback={<Skeleton mt="sm" height={240} />}>
          <Stack mt="sm">
            <Form data={widget.data} change={change} />
            <MoreSettings type={widget.type} data={widget.data} change={change} />
          </Stack>
        </Suspense>
      )}
      {shown === 'json' && (
        <JsonForm
          kind={widget.kind}
          type={widget.type}
          data={widget.data}
          change={change}
          reason={known === undefined ? t('unknown_type') : hasForm ? undefined : t('unfit_data')}
        />
      )}
    </Paper>
  );
}

interface JsonFormProps {
  kind: Widget['kind'];
  type: string;
  data: Record<string, unknown>;
  change: (data: Record<string, unknown>) => void;
  /** Why there is no form, if there is none. */
  reason: string | undefined;
}

function JsonForm({ kind, type, data, change, reason }: JsonFormProps) {
  const t = useItemTexts();
  const [text, setText] = useState(() => JSON.stringify(data, null, 2));
  const [isKept, setKept] = useState(false);
  const warnings = useWarnings(kind, type, data);

  function take(typed: string) {
    setText(typed);
    const parsed = objectIn(typed);
    setKept(!parsed);
    if (parsed) change(parsed);
  }

  return (
    <Stack gap="xs" mt="sm">
      {reason !== undefined && <Text size="sm">{reason}</Text>}
      <Text size="sm">{t('json_help')}</Text>
      <Suspense>
        <JsonEditor
          label={t('json')}
          value={text}
          change={take}
          schema={widgetSchema.properties.data}
          warnings={warnings}
          height="24rem"
        />
      </Suspense>
      {isKept && (
        <Text size="sm" role="alert">
          {t('json_kept')}
        </Text>
      )}
    </Stack>
  );
}

/** Warnings of the service about a definition, shortly after each change. Pointers lead into the definition. */
function useWarnings(kind: Widget['kind'], type: string, data: Record<string, unknown>) {
  const [settled] = useDebouncedValue(data, 500);
  const entries = [{ type, data: settled }];
  const { data: answer } = useQuery({
    ...read('get itembank/warnings', kind === 'question' ? { questions: entries } : { features: entries }),
    gcTime: 0,
    // Those of the text before stay until this one is checked.
    placeholderData: keepPreviousData,
  });
  return useMemo(
    () =>
      answer?.data.map(({ pointer, message }) => ({
        pointer: pointer.replace(/^\/\w+\/0(\/data)?/, ''),
        message,
      })),
    [answer],
  );
}
