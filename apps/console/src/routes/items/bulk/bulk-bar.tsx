import { Button, Group, Paper, Text } from '@mantine/core';
import { Suspense, useMemo, useState } from 'react';
import { useMay } from '../../../session/session';
import { numberOf } from '../../../texts/texts';
import { useBankTexts } from '../bank-texts';
import { type Row } from '../bank-pages';
import { type BankSearch } from '../filters';
import { useItemTexts } from '../texts';
import { type Kind } from './bulk-dialog';
import { type Selection } from './bulk-run';
import { part } from '../../../ui/part';

const BulkDialog = part(() => import('./bulk-dialog'));

interface BulkBarProps {
  /** The loaded items. */
  rows: readonly Row[];
  selected: ReadonlySet<string>;
  /** The number of items that fit the filters, as far as it is known. */
  total: number | undefined;
  search: BankSearch;
  /** All items that fit are chosen. */
  isAll: boolean;
  /** The person has chosen all items that were loaded at that time. */
  isWhole: boolean;
  chooseAll: () => void;
  clear: () => void;
}

/** The actions for the chosen items. A change that leaves none chosen is shown until the person closes its dialog. */
export function BulkBar({ rows, selected, total, search, isAll, isWhole, chooseAll, clear }: BulkBarProps) {
  const t = useItemTexts();
  const bank = useBankTexts();
  const may = useMay();
  const [kind, setKind] = useState<Kind>();
  const [wasChanged, setChanged] = useState(false);
  // The selection at the moment when the dialog opened. The list may be read again meanwhile.
  const [held, setHeld] = useState<{ selection: Selection; count: number }>();
  const selection = useMemo<Selection>(() => {
    if (isAll) return { by: 'filter', search };
    const chosen = rows.filter(({ reference }) => selected.has(reference));
    return { by: 'hand', items: new Map(chosen.map(({ reference, revision }) => [reference, revision])) };
  }, [isAll, search, rows, selected]);
  const count = isAll ? (total ?? selected.size) : selected.size;
  const kinds: [Kind, boolean][] = [
    ['status', may('set itembank/items')],
    ['tag', may('update itembank/items/tags')],
    ['state', may('set itembank/items')],
    ['duplicate', may('set itembank/items/duplicate')],
    ['export', may('set itembank/exports')],
  ];

  function close() {
    setKind(undefined);
    if (wasChanged) clear();
    setChanged(false);
  }

  if (selected.size === 0 && !kind) return null;
  return (
    <Paper withBorder p="xs">
      <Group gap="xs">
        <Text fw={600} role="status">
          {isAll ? bank('fitting_chosen', numberOf(count)) : t('chosen', numberOf(count))}
        </Text>
        {!isAll && isWhole && total !== undefined && total > selected.size && (
          <Button variant="light" size="xs" onClick={chooseAll}>
            {bank('select_fitting', numberOf(total))}
          </Button>
        )}
        {kinds.map(
          ([each, isAllowed]) =>
            isAllowed && (
              <Button
                key={each}
                variant="default"
                size="xs"
                onClick={() => {
                  setHeld({ selection, count });
                  setKind(each);
                }}
              >
                {bank(each)}
              </Button>
            ),
        )}
        <Button variant="subtle" size="xs" onClick={clear}>
          {t('clear_choice')}
        </Button>
      </Group>
      {kind && held && (
        <Suspense>
          <BulkDialog key={kind} kind={kind} {...held} close={close} changed={() => setChanged(true)} />
        </Suspense>
      )}
    </Paper>
  );
}
