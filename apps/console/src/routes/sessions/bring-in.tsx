import { Anchor, Badge, Button, Group, Stack, Table, Text, Textarea, TextInput } from '@mantine/core';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { keyOf } from '../../operations/call';
import type { Job } from '../../operations/operations';
import { numberOf, useLanguage } from '../../texts/texts';
import { FaultAlert } from '../../ui/fault-alert';
import { summaryOf } from '../../ui/fault-summaries';
import { fieldOf } from '../../ui/field-of';
import { inPath } from '../../ui/in-path';
import { JobProgress, jobQuery } from '../../ui/job-progress';
import { ServiceText } from '../../ui/service-text';
import { useSaved } from '../../ui/side-panel';
import { hasEnded } from '../../ui/use-job';
import { useTask } from '../../ui/use-task';
import { type AnswerFile, bringIn } from './answers';
import { useAnswersTexts } from './answers-texts';

const COLOURS = {
  unsent: 'gray',
  storing: 'blue',
  saved: 'green',
  unchanged: 'gray',
  refused: 'red',
  unknown: 'yellow',
} as const;

interface Outcome {
  kind: keyof typeof COLOURS;
  session?: string;
  reasons?: AnswerFile['refusal'];
}

/** The outcome of a session in the results of its job. */
interface Stored {
  session_id: string;
  status: 'saved' | 'unchanged' | 'refused';
  message?: string;
}

/** @param job the job of the file; null: it cannot be read. */
function outcomeOf({ refusal, job: reference, at = 0 }: AnswerFile, job: Job | null | undefined): Outcome {
  if (refusal) return { kind: 'refused', reasons: refusal };
  if (reference === undefined) return { kind: 'unsent' };
  if (job === undefined || (job && !hasEnded(job))) return { kind: 'storing' };
  if (job?.status === 'halted') return { kind: 'refused', reasons: job.error ? [job.error] : [] };
  const stored = (job?.results as { sessions: Stored[] } | null | undefined)?.sessions[at];
  if (!stored) return { kind: 'unknown' };
  const { status: kind, session_id: session, message } = stored;
  return { kind, session, ...(message === undefined ? {} : { reasons: [{ code: 0, message }] }) };
}

/** Takes files of answers, sends them, and shows what became of each. */
export default function BringIn() {
  const t = useAnswersTexts();
  const queries = useQueryClient();
  const saved = useSaved();
  const [files, setFiles] = useState<readonly AnswerFile[]>([]);
  const [isEmpty, setEmpty] = useState(false);
  const pasted = useRef(0);
  const sending = useRef<AbortController>(null);
  const { run, isBusy, fault } = useTask();
  // The rest is not sent to the organisation that the person may choose next.
  useEffect(() => () => sending.current?.abort(), []);
  const references = [...new Set(files.flatMap(({ job }) => job ?? []))];
  const read = useQueries({ queries: references.map((reference) => jobQuery(reference)) });
  const jobs = new Map(references.map((reference, index) => [reference, read[index]!]));
  const rows = files.map((file) => {
    const query = jobs.get(file.job ?? '');
    return { file, outcome: outcomeOf(file, query?.isError ? null : query?.data) };
  });
  const count = (...kinds: Outcome['kind'][]) => rows.filter(({ outcome }) => kinds.includes(outcome.kind)).length;
  const unsent = files.filter(({ job, refusal }) => job === undefined && refusal === undefined);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const chosen = new FormData(form).getAll('files').filter((each) => each instanceof File && each.name !== '');
    const text = fieldOf(form, 'text').trim();
    if (text !== '') chosen.push(new File([text], t('pasted', ++pasted.current)));
    const added = (chosen as File[]).map((file): AnswerFile => ({ file }));
    const wanted = [...unsent, ...added];
    setEmpty(wanted.length === 0);
    if (wanted.length === 0) {
      form.querySelector('input')?.focus();
      return;
    }
    setFiles([...files, ...added]);
    form.reset();
    const { signal } = (sending.current = new AbortController());
    const tell = ({ file }: AnswerFile, became: Partial<AnswerFile>) =>
      setFiles((all) => all.map((each) => (each.file === file ? { ...each, ...became } : each)));
    if (await run(() => bringIn(wanted, tell, signal))) saved();
  }

  const changed = () => {
    for (const name of ['get sessions/statuses', 'get sessions/scores', 'get sessions/responses'] as const)
      void queries.invalidateQueries({ queryKey: keyOf(name) });
  };

  return (
    <Stack>
      <Text size="sm">{t('help')}</Text>
      <Text size="sm">{t('unsigned')}</Text>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <TextInput
            type="file"
            name="files"
            multiple
            accept=".txt,text/plain"
            label={t('choose')}
            description={t('choose_help')}
            error={isEmpty && t('nothing')}
          />
          <Textarea name="text" label={t('paste')} rows={3} spellCheck={false} autoComplete="off" />
          <FaultAlert fault={fault} />
          <Group>
            <Button type="submit" loading={isBusy}>
              {unsent.length > 0 && !isBusy ? t('send_rest', numberOf(unsent.length)) : t('send')}
            </Button>
          </Group>
        </Stack>
      </form>
      <Text role="status">
        {rows.length > 0 &&
          t(
            'summary',
            numberOf(count('saved', 'unchanged', 'refused', 'unknown')),
            numberOf(rows.length),
            numberOf(count('saved')),
            numberOf(count('unchanged')),
            numberOf(count('refused')),
          )}
      </Text>
      {references.map((reference) => (
        <JobProgress key={reference} reference={reference} label={t('storing')} done={changed} />
      ))}
      {rows.length > 0 && (
        <>
          <Text size="sm">{t('new_tab')}</Text>
          <Table aria-label={t('outcomes')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col" w="45%">
                  {t('file')}
                </Table.Th>
                <Table.Th scope="col">{t('outcome')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ file, outcome }, index) => (
                <Row key={index} file={file} outcome={outcome} />
              ))}
            </Table.Tbody>
          </Table>
        </>
      )}
    </Stack>
  );
}

function Row({ file: { file, learner }, outcome: { kind, session, reasons } }: { file: AnswerFile; outcome: Outcome }) {
  const t = useAnswersTexts();
  const language = useLanguage();
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} className="wrap">
        {file.name}
        {learner !== undefined && <Text size="sm">{`${t('learner')}: ${learner}`}</Text>}
      </Table.Th>
      <Table.Td className="wrap">
        <Badge
          color={COLOURS[kind]}
          variant="dot"
          tt="none"
          h="auto"
          mih="var(--badge-height)"
          styles={{ label: { whiteSpace: 'normal' } }}
        >
          {t(`is_${kind}`)}
        </Badge>
        {typeof reasons === 'string' && <Text size="sm">{t(reasons)}</Text>}
        {typeof reasons === 'object' &&
          reasons.map(({ code, message }, index) => (
            <Text size="sm" key={index}>
              {summaryOf(language, code)} <ServiceText>{message}</ServiceText>
            </Text>
          ))}
        {kind === 'unknown' && <Text size="sm">{t('unknown_help')}</Text>}
        {(kind === 'saved' || kind === 'unchanged') && session !== undefined && (
          <Text size="sm">
            <Anchor
              size="sm"
              renderRoot={(props) => <Link to={`/sessions/${inPath(session)}`} target="_blank" {...props} />}
            >
              {t('session_of', learner ?? session)}
            </Anchor>
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
