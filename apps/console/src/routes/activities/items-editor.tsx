import { Alert, Button, Group, NumberInput, Stack, Text, TextInput, Title, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useWorkplace } from '../../session/session';
import { numberOf } from '../../texts/texts';
import { Empty } from '../../ui/empty';
import { QueryFault } from '../../ui/loaded';
import { AddItems } from './add-items';
import { valueAt, withValue } from '../../ui/member-path';
import { itemFacts, ownReferences, type Standing, standingOf } from './item-facts';
import { ItemRow } from './item-row';
import {
  allItems,
  type Data,
  type Draft,
  listsOf,
  moved,
  type Place,
  referenceOf,
  sectionsOf,
  stepFrom,
  withAdded,
  without,
  withoutSection,
  withSection,
  withSectionConfig,
} from './model';
import { useActivityTexts } from './texts';

interface EditorProps {
  draft: Draft;
  change: (next: Partial<Draft>) => void;
  mayEdit: boolean;
}

/** The items of an activity in their order, in and outside of sections. */
export function ItemsEditor({ draft: { data }, change, mayEdit }: EditorProps) {
  const t = useActivityTexts();
  const { organisation } = useWorkplace();
  const box = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<Place | null>(null);
  const [target, setTarget] = useState<Place | null>(null);
  /** The place below the pointer. A drop may come before a slow page has rendered `target`. */
  const aim = useRef<Place>(null);
  const [adding, setAdding] = useState<number | null>(null);
  const [news, setNews] = useState('');
  const facts = useQuery(itemFacts(ownReferences(data, organisation.id)));
  const lists = listsOf(data);
  const all = allItems(data);
  const standings = all.map((entry) => ({ entry, standing: standingOf(entry, organisation.id, facts.data) }));
  const points = all.reduce(
    (sum, entry) => sum + (facts.data?.get(referenceOf(entry).toLowerCase())?.max_score ?? 0),
    0,
  );
  const set = (next: Data) => change({ data: next });

  function move(from: Place, to: Place | undefined, button?: 'up' | 'down') {
    if (!to) return;
    const reference = referenceOf(lists[from.list]![from.index]!);
    const next = moved(data, from, to);
    set(next);
    const place = allItems(next).findIndex((entry) => referenceOf(entry) === reference) + 1;
    setNews(t('moved', reference, place, all.length));
    // Moves the focus along, because the row may be rendered anew in another list.
    if (button)
      requestAnimationFrame(() => {
        const buttons = box.current?.querySelectorAll<HTMLButtonElement>('button[data-move]') ?? [];
        const own = [...buttons].filter(({ dataset }) => dataset.reference === reference);
        const same = own.find(({ dataset, disabled }) => dataset.move === button && !disabled);
        (same ?? own.find(({ disabled }) => !disabled))?.focus();
      });
  }

  function aimAt(place: Place | null) {
    aim.current = place;
    setTarget(place);
  }

  function drop() {
    if (dragged && aim.current) move(dragged, aim.current);
    setDragged(null);
    aimAt(null);
  }

  return (
    <Stack ref={box}>
      <VisuallyHidden role="status">{news}</VisuallyHidden>
      <QueryFault query={facts} />
      <Group gap="lg">
        <Text>{t('item_count', numberOf(all.length))}</Text>
        <Text>{t('points_total', numberOf(points))}</Text>
      </Group>
      <Troubles standings={standings.map(({ entry, standing }) => ({ reference: referenceOf(entry), standing }))} />
      {all.length === 0 && lists.length === 1 && (
        <Empty title={t('no_items')} help={t(mayEdit ? 'no_items_help' : 'no_items_read')} />
      )}
      {lists.map((entries, list) => (
        <Stack key={list} gap="xs" component="section" aria-label={list === 0 ? t('items') : t('section', list)}>
          {list > 0 && <SectionHead data={data} section={list - 1} set={set} mayEdit={mayEdit} />}
          {(entries.length > 0 || dragged) && (
            <ol
              style={{ listStyle: 'none', margin: 0, padding: 0 }}
              aria-label={list === 0 ? t('items') : t('section_items', list)}
              onDragOver={(event) => {
                if (!dragged || event.target !== event.currentTarget) return;
                event.preventDefault();
                aimAt({ list, index: entries.length });
              }}
              onDrop={drop}
            >
              {entries.map((entry, index) => {
                const place = { list, index };
                const before = lists.slice(0, list).reduce((sum, { length }) => sum + length, 0);
                return (
                  <ItemRow
                    key={referenceOf(entry)}
                    entry={entry}
                    number={before + index + 1}
                    item={facts.data?.get(referenceOf(entry).toLowerCase())}
                    standing={standingOf(entry, organisation.id, facts.data)}
                    mayEdit={mayEdit}
                    isTarget={target?.list === list && target.index === index}
                    isLastTarget={
                      target?.list === list && target.index === entries.length && index === entries.length - 1
                    }
                    canMoveUp={stepFrom(data, place, -1) !== undefined}
                    canMoveDown={stepFrom(data, place, 1) !== undefined}
                    move={(step) => move(place, stepFrom(data, place, step), step === -1 ? 'up' : 'down')}
                    remove={() => {
                      set(without(data, place));
                      setNews(t('removed', referenceOf(entry)));
                    }}
                    drag={() => setDragged(place)}
                    over={(isLower) => dragged && aimAt({ list, index: isLower ? index + 1 : index })}
                    endDrag={() => {
                      setDragged(null);
                      aimAt(null);
                    }}
                  />
                );
              })}
            </ol>
          )}
          {mayEdit && (
            <Group>
              <Button variant="default" size="sm" onClick={() => setAdding(list)}>
                {list === 0 ? t('add_items') : t('add_items_to', list)}
              </Button>
            </Group>
          )}
        </Stack>
      ))}
      {mayEdit && (
        <Group>
          <Button variant="subtle" size="sm" onClick={() => set(withSection(data))}>
            {t('add_section')}
          </Button>
        </Group>
      )}
      {adding !== null && (
        <AddItems
          known={all.map(referenceOf)}
          close={() => setAdding(null)}
          add={(references) => {
            set(withAdded(data, adding, references));
            setAdding(null);
            setNews(t('added', references.length));
          }}
        />
      )}
    </Stack>
  );
}

/** Warns about items that learners would not get. */
function Troubles({ standings }: { standings: readonly { reference: string; standing: Standing }[] }) {
  const t = useActivityTexts();
  const of = (wanted: Standing) =>
    standings.filter(({ standing }) => standing === wanted).map(({ reference }) => reference);
  const kinds = (['missing', 'unpublished', 'archived', 'elsewhere'] as const).filter((kind) => of(kind).length > 0);
  if (kinds.length === 0) return null;
  return (
    <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} title={t('troubles')}>
      {kinds.map((kind) => (
        <Text key={kind} size="sm" className="wrap">
          {t(`trouble_${kind}`, of(kind).length)} {of(kind).slice(0, 20).join(', ')}
        </Text>
      ))}
    </Alert>
  );
}

interface SectionHeadProps {
  data: Data;
  section: number;
  set: (data: Data) => void;
  mayEdit: boolean;
}

function SectionHead({ data, section, set, mayEdit }: SectionHeadProps) {
  const t = useActivityTexts();
  const { config } = sectionsOf(data)[section]!;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const seconds = valueAt(config, ['time', 'max_time']);
  const change = (path: string[], value: unknown) =>
    set(withSectionConfig(data, section, withValue(config, path, value)));
  return (
    <Stack gap="xs">
      <Title order={2} size="h5">
        {t('section', section + 1)}
      </Title>
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('section_title')}
          value={text(config.title) || text(config.subtitle)}
          onChange={({ currentTarget: { value } }) =>
            change(
              [text(config.title) === '' && text(config.subtitle) !== '' ? 'subtitle' : 'title'],
              value || undefined,
            )
          }
          disabled={!mayEdit}
          style={{ flex: '1 1 200px' }}
        />
        <NumberInput
          label={t('section_time')}
          value={typeof seconds === 'number' ? seconds : ''}
          onChange={(value) => change(['time', 'max_time'], typeof value === 'number' ? value : undefined)}
          min={1}
          allowDecimal={false}
          disabled={!mayEdit}
          w={180}
        />
        {mayEdit && (
          <Button variant="default" onClick={() => set(withoutSection(data, section))}>
            {t('remove_section', section + 1)}
          </Button>
        )}
      </Group>
      {mayEdit && (
        <Text size="xs" c="dimmed">
          {t('remove_section_help')}
        </Text>
      )}
    </Stack>
  );
}
