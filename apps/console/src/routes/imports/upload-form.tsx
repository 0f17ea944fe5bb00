import { Button, FileButton, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { keyOf } from '../../operations/call';
import { Unreachable } from '../../operations/fault';
import { numberOf, sizeOf } from '../../texts/texts';
import { FaultAlert } from '../../ui/fault-alert';
import { useTask } from '../../ui/use-task';
import { Options } from './options';
import { useImportTexts } from './texts';
import { type ImportOptions, plan, TooLarge, upload } from './upload';

/** Uploads a file and starts the plan of its import. */
export function UploadForm({ open }: { open: (reference: string) => void }) {
  const t = useImportTexts();
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [options, setOptions] = useState<ImportOptions>({ rule: 'fail' });
  const [share, setShare] = useState(0);
  const running = useRef<AbortController>(null);
  /** The uploaded file whose plan could not be started because the service could not be reached. */
  const uploaded = useRef<{ file: File; key: string }>(null);
  const { run, isBusy, fault, clear } = useTask();
  useEffect(() => () => running.current?.abort(), []);

  function choose(chosen: File | null) {
    clear();
    setFile(chosen);
  }

  const start = () =>
    run(async () => {
      if (!file) return;
      const { signal } = (running.current = new AbortController());
      setShare(0);
      try {
        const key = uploaded.current?.file === file ? uploaded.current.key : await upload(file, setShare, signal);
        uploaded.current = { file, key };
        const reference = await plan(key, options);
        uploaded.current = null;
        await queries.invalidateQueries({ queryKey: keyOf('get itembank/imports') });
        open(reference);
      } catch (error) {
        if (!(error instanceof Unreachable)) uploaded.current = null;
        if (signal.aborted) return;
        throw error instanceof TooLarge ? new Error(t('too_large')) : error;
      }
    });

  return (
    <Paper withBorder p="md" component="section" aria-labelledby="new-import">
      <Stack>
        <Title order={2} size="h4" id="new-import">
          {t('new_import')}
        </Title>
        <DropZone file={file} choose={choose} isDisabled={isBusy} />
        {file && (
          <>
            <Options options={options} change={setOptions} />
            <FaultAlert fault={fault} />
            {isBusy ? (
              <Stack gap="xs">
                <Text size="sm" role="status" className="wrap">
                  {t('uploading', file.name)}
                </Text>
                <Progress value={100 * share} aria-label={t('uploading', file.name)} />
                <Group>
                  <Button variant="default" onClick={() => running.current?.abort()}>
                    {t('cancel')}
                  </Button>
                  <Text size="sm">{t('percent', numberOf(Math.round(100 * share)))}</Text>
                </Group>
              </Stack>
            ) : (
              <Group>
                <Button onClick={() => void start()}>{t('start')}</Button>
                <Text size="sm" c="dimmed">
                  {t('start_help')}
                </Text>
              </Group>
            )}
          </>
        )}
      </Stack>
    </Paper>
  );
}

interface DropZoneProps {
  file: File | null;
  choose: (file: File | null) => void;
  isDisabled: boolean;
}

/** A place onto which a file can be dragged, with a button that does the same. */
function DropZone({ file, choose, isDisabled }: DropZoneProps) {
  const t = useImportTexts();
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(!isDisabled);
  };
  return (
    <Stack
      align="center"
      gap="xs"
      p="md"
      onDragOver={over}
      onDragEnter={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [dropped] = event.dataTransfer.files;
        if (dropped && !isDisabled) choose(dropped);
      }}
      style={{
        border: `2px dashed var(${isOver ? '--mantine-primary-color-filled' : '--mantine-color-default-border'})`,
        borderRadius: 4,
      }}
    >
      <IconUpload aria-hidden />
      <Text fw={600}>{t('drop')}</Text>
      <Text size="sm" c="dimmed" ta="center">
        {t('drop_help')}
      </Text>
      <FileButton onChange={choose} disabled={isDisabled}>
        {(props) => (
          <Button variant="default" {...props}>
            {t('choose')}
          </Button>
        )}
      </FileButton>
      {file && (
        <Text className="wrap" role="status">
          {t('chosen')}: <b>{file.name}</b> ({sizeOf(file.size)})
        </Text>
      )}
    </Stack>
  );
}
