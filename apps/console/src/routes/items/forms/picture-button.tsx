import { Button, FileInput, Stack, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { call } from '../../../operations/call';
import { useMay } from '../../../session/session';
import { FaultAlert } from '../../../ui/fault-alert';
import { useTask } from '../../../ui/use-task';
import { useFormTexts } from './texts';
import { Actions, Dialog } from '../../../ui/dialog';

const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'];

/** Uploads a picture and inserts it. */
export function PictureButton({ insert }: { insert: (before: string, after?: string) => void }) {
  const t = useFormTexts();
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const [alt, setAlt] = useState('');
  const { run, isBusy, fault, clear } = useTask();
  const uploading = useRef<AbortController>(null);
  if (!may('get itembank/upload/assets')) return null;

  function open() {
    setFile(null);
    setAlt('');
    clear();
    setOpen(true);
  }

  function close() {
    uploading.current?.abort();
    setOpen(false);
  }

  const add = () =>
    run(async () => {
      if (!file) return;
      const { signal } = (uploading.current = new AbortController());
      const address = await upload(file, signal);
      setOpen(false);
      insert(`<img src="${escaped(address)}" alt="${escaped(alt)}">`);
    });

  return (
    <>
      <Button size="compact-xs" variant="default" onClick={open}>
        {t('picture')}
      </Button>
      <Dialog isOpen={isOpen} close={close} title={t('picture')} size="md">
        <Stack>
          <FileInput
            label={t('picture_choose')}
            description={t('picture_types')}
            accept={TYPES.join(',')}
            value={file}
            onChange={setFile}
          />
          <TextInput
            label={t('picture_alt')}
            description={t('picture_alt_help')}
            value={alt}
            onChange={(event) => setAlt(event.currentTarget.value)}
          />
          <FaultAlert fault={fault} />
          <Actions cancel={close} disabled={!file} loading={isBusy} onClick={() => void add()}>
            {t('picture_add')}
          </Actions>
        </Stack>
      </Dialog>
    </>
  );
}

/** Stores a file in the bank. @returns its public address */
async function upload(file: File, signal: AbortSignal): Promise<string> {
  const extension = /\.[a-z0-9]+$/i.exec(file.name)?.[0].toLowerCase() ?? '';
  const name = file.name
    .slice(0, file.name.length - extension.length)
    .replace(/[^\w-]+/g, '-')
    .slice(0, 80);
  const subkey = `console/${crypto.randomUUID()}/${name}${extension}`;
  const input = { subkeys: [subkey], subkey_types: { [subkey]: file.type } };
  const { data } = await call('get itembank/upload/assets', input, signal);
  const [target] = data;
  const response = await fetch(target!.upload, {
    method: 'PUT',
    headers: { 'Content-Type': target!.content_type },
    body: file,
    signal,
  });
  if (!response.ok) throw new Error(`${file.name}: ${response.status} ${response.statusText}`);
  return target!.public;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
