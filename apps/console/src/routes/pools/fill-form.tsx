import { Alert, Button, Checkbox, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, keyOf } from '../../operations/call';
import { Fault } from '../../operations/fault';
import type { Pool, StartedFill } from '../../operations/operations';
import { useWorkplace } from '../../session/session';
import { Ask } from '../../ui/dialog';
import { FaultAlert } from '../../ui/fault-alert';
import { isAbout } from '../../ui/fault-places';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { ContentForm } from './content-form';
import { FillProgress } from './fill-progress';
import { type Content, HOW, type How, lastContent, rememberContent, tidied } from './model';
import { usePoolTexts } from './texts';

/** The revision of a pool that does not exist yet. */
const NO_POOL = 0;

/** The place that a fault names when the pool has another revision. */
const AT_REVISION = '/pools/0/if_revision';

interface FillFormProps {
  /** The pool to fill; absent: a new one. */
  pool?: Pool;
  started: (fill: StartedFill) => void;
}

/** Starts a fill of a pool, or makes a pool with its first fill. */
export function FillForm({ pool, started }: FillFormProps) {
  const t = usePoolTexts();
  const { organisation } = useWorkplace();
  const queries = useQueryClient();
  const { run, isBusy, fault } = useTask();
  const [reference, setReference] = useState(pool?.reference ?? '');
  const [name, setName] = useState(pool?.name ?? '');
  const [description, setDescription] = useState(pool?.description ?? '');
  const [status, setStatus] = useState(pool?.status_after_fill ?? 'published');
  const [how, setHow] = useState<How>('add');
  // The pool is read again meanwhile. So the form keeps the revision that it shows, and its last fill.
  const [revision, setRevision] = useState(pool ? pool.revision : NO_POOL);
  const [lastFill, setLastFill] = useState(pool?.job_reference);
  const [content, setContent] = useState<Content | null>(() =>
    pool ? lastContent(organisation.id, pool.reference) : {},
  );
  const [valid, setValid] = useState<Content>(content ?? {});
  const [publish, setPublish] = useState(false);
  const [ignoreEmpty, setIgnoreEmpty] = useState(false);
  const [isAsking, setAsking] = useState(false);
  /** The values that decide what the fill stores. A preview is hidden when they change. */
  const wanted = JSON.stringify([how, content, status, publish, ignoreEmpty]);
  const [preview, setPreview] = useState<{ job: string; of: string }>();

  const readPool = async () => {
    const include = { pools: ['revision' as const, 'status_after_fill' as const, 'job_reference' as const] };
    return (await call('get itembank/pools', { references: [reference], include })).data[0];
  };

  /** Starts the fill, or a dry run of it. */
  async function start(isDry: boolean): Promise<StartedFill> {
    try {
      return await send(isDry, revision);
    } catch (error) {
      if (lastFill === undefined || !isAbout(error, AT_REVISION)) throw error;
      const pool = await readPool();
      if (pool?.job_reference !== lastFill) throw error;
      // Only the end of the last fill has changed the pool. That is no change by somebody else.
      setRevision(pool.revision);
      return await send(isDry, pool.revision);
    }
  }

  async function send(isDry: boolean, ifRevision: number | undefined): Promise<StartedFill> {
    const sent = tidied(content ?? {});
    const common = {
      reference,
      name,
      description: description || null,
      status,
      set_unpublished_to_published: publish,
      if_revision: ifRevision,
    };
    const { data } =
      how === 'refresh'
        ? await call('update itembank/pools', {
            dry_run: isDry,
            pools: [{ ...common, content: sent, overwrite: true }],
          })
        : await call('set itembank/pools', {
            dry_run: isDry,
            pools: [
              { ...common, content: sent, overwrite: how === 'replace', ignore_empty_additional_tags: ignoreEmpty },
            ],
          });
    return data[0]!;
  }

  async function fill() {
    const fill = await start(false);
    rememberContent(organisation.id, reference, tidied(content ?? {}));
    setLastFill(fill.job_reference);
    toast(t('started'));
    started(fill);
  }

  /** Shows the pool as it is now. Keeps the content, which only this form has. */
  const takeTheirs = () =>
    run(async () => {
      const theirs = await readPool();
      if (!theirs) return;
      setRevision(theirs.revision);
      setLastFill(theirs.job_reference);
      setName(theirs.name);
      setDescription(theirs.description ?? '');
      setStatus(theirs.status_after_fill ?? 'published');
      setPreview(undefined);
      await queries.invalidateQueries({ queryKey: keyOf('get itembank/pools') });
    });

  const look = () =>
    run(async () => {
      setPreview(undefined);
      setPreview({ job: (await start(true)).job_reference, of: wanted });
    });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (how === 'replace') setAsking(true);
    else void run(fill);
  };
  const places = fault instanceof Fault ? fault.places : [];
  const errorAt = (member: string) => places.find(({ pointer }) => pointer === `/pools/0/${member}`)?.message;
  const at = '/pools/0/content';
  const inContent = places
    .filter(({ pointer }) => pointer.startsWith(at))
    .map((place) => ({ ...place, pointer: place.pointer.slice(at.length) }));
  const change = (next: Content | null) => {
    setContent(next);
    if (next) setValid(next);
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={760}>
        {!pool && (
          <TextInput
            label={t('reference')}
            description={t('reference_help')}
            value={reference}
            onChange={({ currentTarget: { value } }) => setReference(value.trim())}
            error={errorAt('reference')}
            required
            maxLength={150}
            data-autofocus
          />
        )}
        <TextInput
          label={t('name')}
          description={t('name_help')}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
          error={errorAt('name')}
          required
          maxLength={255}
        />
        <Textarea
          label={t('description')}
          value={description}
          onChange={({ currentTarget: { value } }) => setDescription(value)}
          error={errorAt('description')}
          autosize
        />
        <Select
          label={t('status')}
          description={t('status_help')}
          data={(['published', 'unpublished'] as const).map((value) => ({ value, label: t(value) }))}
          value={status}
          onChange={(value) => setStatus(value === 'unpublished' ? value : 'published')}
          allowDeselect={false}
        />
        {pool && (
          <Select
            label={t('how')}
            data={HOW.map((value) => ({ value, label: t(`how_${value}`) }))}
            value={how}
            onChange={(value) => setHow(HOW.find((each) => each === value) ?? 'add')}
            allowDeselect={false}
          />
        )}
        <ContentForm content={valid} change={change} faults={inContent} />
        <Checkbox
          label={t('publish')}
          description={t('publish_help')}
          checked={publish}
          onChange={({ currentTarget: { checked } }) => setPublish(checked)}
        />
        {how !== 'refresh' && (
          <Checkbox
            label={t('ignore_empty')}
            checked={ignoreEmpty}
            onChange={({ currentTarget: { checked } }) => setIgnoreEmpty(checked)}
          />
        )}
        {pool && isAbout(fault, AT_REVISION) ? (
          <Alert variant="default" role="alert" title={t('pool_changed')}>
            <Stack gap="xs" align="flex-start">
              <Text size="sm">{t('pool_changed_help')}</Text>
              <Button variant="default" onClick={() => void takeTheirs()}>
                {t('take_theirs')}
              </Button>
            </Stack>
          </Alert>
        ) : (
          <FaultAlert fault={fault} />
        )}
        <Group>
          <Button type="submit" loading={isBusy} disabled={content === null}>
            {t('start')}
          </Button>
          {pool && (
            <Button variant="default" disabled={isBusy || content === null} onClick={() => void look()}>
              {t('preview')}
            </Button>
          )}
        </Group>
        {preview?.of === wanted && (
          <FillProgress key={preview.job} job={preview.job} title={t('preview_title')} isPreview />
        )}
      </Stack>
      <Ask
        title={t('replace_title', name)}
        text={t('replace_text')}
        action={t('replace')}
        isOpen={isAsking}
        close={() => setAsking(false)}
        work={fill}
      />
    </form>
  );
}
