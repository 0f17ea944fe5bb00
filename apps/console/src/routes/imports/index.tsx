import { Stack, Tabs } from '@mantine/core';
import { useMay } from '../../session/session';
import { Empty } from '../../ui/empty';
import { Page } from '../../ui/page';
import { useAddress } from '../../ui/use-address';
import { useUnsaved } from '../../ui/use-unsaved';
import { ExportForm } from './export-form';
import { Exports } from './exports';
import { ImportView } from './import-view';
import { PastImports } from './past-imports';
import { useImportTexts } from './texts';
import { UploadForm } from './upload-form';
import { useUiTexts } from '../../ui/texts';

/** Imports banks from files, and exports them to files. */
export default function ImportsAndExports() {
  const t = useImportTexts();
  const may = useMay();
  const { get, set } = useAddress();
  const reference = get('import');
  const mayImport = may('get itembank/imports');
  const mayExport = may('set itembank/exports');
  const tab = get('tab') === 'export' || !mayImport ? 'export' : 'import';
  const unsaved = useUnsaved(useUiTexts()('unsaved'), { withLinks: true });
  const open = (opened: string) => set({ import: opened });
  if (!mayImport && !mayExport)
    return (
      <Page title={t('title')}>
        <Empty title={t('no_right')} help={t('no_right_help')} />
      </Page>
    );

  return (
    <Page title={t('title')}>
      <Tabs
        value={tab}
        onChange={(next) => {
          if (!unsaved.mayLeave()) return;
          unsaved.forget();
          set({ tab: next === 'export' ? next : undefined, import: undefined, export: undefined });
        }}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {mayImport && <Tabs.Tab value="import">{t('import')}</Tabs.Tab>}
          {mayExport && <Tabs.Tab value="export">{t('export')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="import">
          {reference ? (
            <ImportView key={reference} reference={reference} />
          ) : (
            <Stack>
              {may('set itembank/imports') && <UploadForm open={open} />}
              <PastImports open={open} />
            </Stack>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="export">
          <Stack>
            <ExportForm
              noteTyping={unsaved.noteTyping}
              started={(job) => {
                unsaved.forget();
                set({ export: job });
              }}
            />
            <Exports current={get('export')} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
