import { Button, Fieldset, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../operations/call';
import { useTypeNames } from '../../texts/use-type-names';
import { FaultAlert } from '../../ui/fault-alert';
import { useTask } from '../../ui/use-task';
import type { ChangeDraft, Draft } from './draft';
import { FORMS } from './forms/index';
import type { Column, Widget } from '../../frame/shown-items';
import { widgetReference } from './widget-reference';
import { useItemTexts } from './texts';
import { dropArea, WidgetCard } from './widget-card';
import { moved, without } from './forms/data';

interface LayoutProps {
  item: string;
  draft: Draft;
  change: ChangeDraft;
}

/** The questions and features of an item in their columns. Everything can be moved by buttons. */
export function Layout({ item, draft, change }: LayoutProps) {
  const t = useItemTexts();
  const { columns, widgets } = draft;
  const count = columns.reduce((sum, { references }) => sum + references.length, 0);
  const setColumns = (next: Column[]) => change({ columns: next });

  function setTwoColumns(isTwo: boolean) {
    if (isTwo)
      setColumns([
        { ...columns[0]!, width: 50 },
        { width: 50, references: [] },
      ]);
    else setColumns([{ width: 100, references: columns.flatMap(({ references }) => references) }]);
  }

  const changeColumn = (at: number, references: string[]) =>
    setColumns(columns.map((column, index) => (index === at ? { ...column, references } : column)));

  function place(reference: string, from: number, to: number) {
    setColumns(
      columns.map((column, index) => {
        if (index === from) return { ...column, references: column.references.filter((each) => each !== reference) };
        return index === to ? { ...column, references: [...column.references, reference] } : column;
      }),
    );
  }

  /** Puts a widget before another place of a column. */
  function drop(reference: string, to: number, before: number) {
    const from = columns.findIndex(({ references }) => references.includes(reference));
    if (from === -1) return;
    const old = columns[from]!.references.indexOf(reference);
    const place = from === to && old < before ? before - 1 : before;
    setColumns(
      columns.map((column, index) => {
        const references = column.references.filter((each) => each !== reference);
        return { ...column, references: index === to ? references.toSpliced(place, 0, reference) : references };
      }),
    );
  }

  function add(widget: Widget) {
    change(({ columns, widgets }) => ({
      widgets: [...widgets.filter(({ reference }) => reference !== widget.reference), widget],
      columns: columns.map((column, index) =>
        index === columns.length - 1 ? { ...column, references: [...column.references, widget.reference] } : column,
      ),
    }));
  }

  return (
    <Stack>
      {columns.map(({ references }, at) => (
        <Fieldset key={at} legend={columns.length > 1 ? t('column', at + 1) : t('questions')}>
          <Stack gap="sm" {...dropArea((dropped) => references.length === 0 && drop(dropped, at, 0))} mih={24}>
            {references.map((reference, index) => {
              const widget = widgets.find((each) => each.reference === reference);
              if (!widget) return null;
              return (
                <WidgetCard
                  key={reference}
                  drop={(dropped, isAfter) => drop(dropped, at, index + (isAfter ? 1 : 0))}
                  widget={widget}
                  index={index}
                  count={references.length}
                  isOnly={count === 1}
                  change={(data) =>
                    change({
                      widgets: widgets.map((each) => (each.reference === reference ? { ...each, data } : each)),
                    })
                  }
                  move={(from, to) => changeColumn(at, moved(references, from, to))}
                  remove={() => changeColumn(at, without(references, index))}
                  toOtherColumn={columns.length === 2 ? () => place(reference, at, 1 - at) : undefined}
                />
              );
            })}
          </Stack>
        </Fieldset>
      ))}
      <Select
        label={t('columns')}
        data={[
          { value: '1', label: t('one_column') },
          { value: '2', label: t('two_columns') },
        ]}
        value={String(Math.min(columns.length, 2))}
        allowDeselect={false}
        onChange={(value) => value !== String(columns.length) && setTwoColumns(value === '2')}
        maw={240}
      />
      <AddWidget item={item} count={count} known={widgets} add={add} />
    </Stack>
  );
}

interface AddProps {
  item: string;
  count: number;
  known: readonly Widget[];
  add: (widget: Widget) => void;
}

/** Adds a new question, or one that the bank has. */
function AddWidget({ item, count, known, add }: AddProps) {
  const t = useItemTexts();
  const typeName = useTypeNames();
  const [type, setType] = useState('mcq');
  const [existing, setExisting] = useState('');
  const { run, isBusy, fault } = useTask();

  function addNew() {
    const { kind, fresh } = FORMS[type]!;
    add({ kind, reference: widgetReference(item, count + 1), type, data: { type, ...fresh } });
  }

  const addExisting = () =>
    run(async () => {
      const wanted = { references: [existing.trim()], limit: 1 };
      const [questions, features] = await Promise.all([
        call('get itembank/questions', { ...wanted, include: { questions: ['revision'] } }),
        call('get itembank/features', { ...wanted, include: { features: ['revision'] } }),
      ]);
      const [question] = questions.data as { reference: string; type: string; data: object; revision?: number }[];
      const [feature] = features.data as { reference: string; type: string; data: object; revision?: number }[];
      const found = question ?? feature;
      if (!found) throw new Error(t('widget_unknown', existing));
      if (known.some(({ reference }) => reference === found.reference)) throw new Error(t('widget_held', existing));
      add({ ...found, kind: question ? 'question' : 'feature', data: found.data as Record<string, unknown> });
      setExisting((now) => (now === existing ? '' : now));
    });

  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Fieldset legend={t('add_question')}>
        <Group align="flex-end">
          <Select
            label={t('question_type')}
            data={Object.keys(FORMS).map((value) => ({ value, label: typeName(value) }))}
            value={type}
            allowDeselect={false}
            onChange={(value) => value && setType(value)}
            style={{ flex: '1 1 10rem' }}
          />
          <Button variant="default" onClick={addNew}>
            {t('add')}
          </Button>
        </Group>
      </Fieldset>
      <Fieldset legend={t('add_existing')}>
        <Group align="flex-end">
          <TextInput
            label={t('reference')}
            value={existing}
            onChange={(event) => setExisting(event.currentTarget.value)}
            style={{ flex: '1 1 10rem' }}
          />
          <Button
            variant="default"
            loading={isBusy}
            disabled={existing.trim() === ''}
            onClick={() => void addExisting()}
          >
            {t('add')}
          </Button>
        </Group>
        <FaultAlert fault={fault} />
      </Fieldset>
    </SimpleGrid>
  );
}
