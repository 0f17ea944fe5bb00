import { Alert, Box, Button, Grid, Group, List, Paper, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { ContentFrame } from '../../frame/content-frame';
import { keyOf } from '../../operations/call';
import { Fault } from '../../operations/fault';
import { dateOf } from '../../texts/texts';
import { FaultAlert } from '../../ui/fault-alert';
import { endOf } from '../../ui/kept-drafts';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { ConflictDialog } from './conflict-dialog';
import { draftOf, saveDraft, type SaveWarning, useDraft, withRevisions } from './draft';
import { ItemDetails } from './item-details';
import { Layout } from './layout';
import { shownItem, type WholeItem } from '../../frame/shown-items';
import { wholeItem, withColumns } from './model';
import { SaveBar } from './save-bar';
import { useItemTexts } from './texts';
import { Ask, Dialog } from '../../ui/dialog';

/** Edits an item with its questions; beside it, the item as learners will see it. */
export default function Editor({ whole, reread }: { whole: WholeItem; reread: () => Promise<void> }) {
  const t = useItemTexts();
  const queries = useQueryClient();
  const {
    base,
    draft,
    version,
    isChanged,
    change,
    kept,
    useKept: takeKept,
    dropKept,
    reset,
    settle,
    rebase,
    renew,
  } = useDraft(whole);
  const { run, isBusy, fault, clear } = useTask();
  const [warnings, setWarnings] = useState<SaveWarning[]>([]);
  const [theirs, setTheirs] = useState<WholeItem>();
  const [isDiscarding, setDiscarding] = useState(false);
  const shown = useDeferredValue(draft);
  const items = useMemo(
    () => [
      shownItem({
        item: { ...whole.item, definition: withColumns(shown.others.definition, shown.columns) },
        widgets: shown.widgets,
      }),
    ],
    [whole, shown],
  );

  const readAgain = () => queries.fetchQuery({ ...wholeItem(whole.item.reference), staleTime: 0 });

  async function save(from: WholeItem = base, wanted = draft) {
    await run(async () => {
      const own = new Set<string>();
      try {
        const found = await saveDraft(from, wanted, own);
        setWarnings(found);
        await queries.invalidateQueries({ queryKey: keyOf('get itembank/items'), refetchType: 'none' });
        const stored = await readAgain();
        if (stored) settle(stored, wanted);
        toast(found.length > 0 ? t('saved_warnings', found.length) : t('saved'));
      } catch (error) {
        const isConflict = error instanceof Fault && error.isConflict;
        const present = isConflict || own.size > 0 ? await readAgain() : null;
        if (present) renew(present, own);
        if (!present || !isConflict) throw error;
        setTheirs(present);
      }
    });
  }

  return (
    <Stack>
      {kept && (
        <Alert>
          <Group>
            <Text>{t('draft_found', dateOf(kept.at), dateOf(endOf(kept)))}</Text>
            <Button size="xs" onClick={takeKept}>
              {t('draft_use')}
            </Button>
            <Button size="xs" variant="default" onClick={dropKept}>
              {t('draft_drop')}
            </Button>
          </Group>
        </Alert>
      )}
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack key={version}>
            <Layout item={whole.item.reference} draft={draft} change={change} />
            <ItemDetails draft={draft} change={change} stored={whole.item.status} fault={fault} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Paper
            withBorder
            p="xs"
            component="section"
            aria-label={t('preview')}
            // Long items are scrolled by keyboard too.
            tabIndex={0}
            style={{ position: 'sticky', top: 72, maxHeight: 'max(180px, 100vh - 160px)', overflow: 'auto' }}
          >
            <ContentFrame items={items} mode="answer" />
          </Paper>
        </Grid.Col>
      </Grid>
      <SaveBar>
        <Stack gap="xs">
          <Box mah="40vh" style={{ overflow: 'auto' }} tabIndex={fault ? 0 : undefined}>
            <FaultAlert fault={fault} />
          </Box>
          {warnings.length > 0 && !isChanged && (
            <Alert
              color="yellow"
              title={t('saved_warnings', warnings.length)}
              withCloseButton
              closeButtonLabel={t('close')}
              onClose={() => setWarnings([])}
            >
              <List size="sm" style={{ maxHeight: 160, overflow: 'auto' }} tabIndex={0} aria-label={t('lint')}>
                {warnings.map(({ reference, message }, index) => (
                  <List.Item key={index} className="wrap">
                    <b>{reference}</b>: {message}
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          <Group gap="xs" wrap="nowrap">
            <Button loading={isBusy} disabled={!isChanged} onClick={() => void save()} flex="none">
              {t('save')}
            </Button>
            <Button variant="default" disabled={!isChanged || isBusy} onClick={() => setDiscarding(true)}>
              {t('discard')}
            </Button>
            <Text size="sm" role="status" className="hidden-if-narrow">
              {isChanged ? t('unsaved') : ''}
            </Text>
          </Group>
        </Stack>
      </SaveBar>
      <Ask
        title={t('discard_title')}
        text={t('discard_text')}
        action={t('discard')}
        isOpen={isDiscarding}
        close={() => setDiscarding(false)}
        work={async () => {
          clear();
          reset(whole);
        }}
      />
      <Dialog isOpen={theirs !== undefined} close={() => setTheirs(undefined)} title={t('conflict')} size="xl">
        {theirs && (
          <ConflictDialog
            mine={draft}
            theirs={draftOf(theirs)}
            takeTheirs={() => {
              setTheirs(undefined);
              reset(theirs);
              void reread();
            }}
            keepMine={() => {
              setTheirs(undefined);
              // Their revisions are known now, so the same changes may replace them.
              rebase(theirs);
              void save(theirs, { ...draft, widgets: withRevisions(draft.widgets, theirs) });
            }}
          />
        )}
      </Dialog>
    </Stack>
  );
}
