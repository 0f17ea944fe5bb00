import { Alert, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useWorkplace } from '../../session/session';
import { dateOf } from '../../texts/texts';
import { Empty } from '../../ui/empty';
import { FaultAlert } from '../../ui/fault-alert';
import { besides, messageAt } from '../../ui/fault-places';
import { fieldOf } from '../../ui/field-of';
import { Page } from '../../ui/page';
import { toast } from '../../ui/toast';
import { useTask } from '../../ui/use-task';
import { EraseDialog } from './erase-dialog';
import { exported, type Learner, look, type Report, save, type Stored } from './learners';
import { Counts, ErasureReport } from './report';
import { useLearnerTexts } from './texts';

type Shown = { learner: Learner; stored: Stored } | { report: Report } | undefined;

/** Shows, exports and erases the data of a learner. No address contains the learner, because addresses are logged. */
export default function Screen() {
  const { organisation } = useWorkplace();
  // Another organisation has other learners.
  return <OfOrganisation key={organisation.id} id={organisation.id} />;
}

function OfOrganisation({ id }: { id: number }) {
  const t = useLearnerTexts();
  const [shown, show] = useState<Shown>();
  const { run, isBusy, fault } = useTask();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const learner = { organisation: id, user_id: fieldOf(event.currentTarget, 'user_id') };
    show(undefined);
    void run(async () => show({ learner, stored: await look(learner) }));
  }

  return (
    <Page title={t('title')}>
      <Text maw={640}>{t('about')}</Text>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            name="user_id"
            label={t('user_id')}
            description={t('user_id_help')}
            error={messageAt(fault, '/user_id')}
            autoComplete="off"
            spellCheck={false}
            required
            style={{ flex: '0 1 420px' }}
          />
          <Button type="submit" loading={isBusy}>
            {t('find')}
          </Button>
        </Group>
      </form>
      <FaultAlert fault={besides(fault, ['/user_id'])} />
      {shown && ('report' in shown ? <Erased report={shown.report} /> : <Found {...shown} show={show} />)}
    </Page>
  );
}

function Found({ learner, stored, show }: { learner: Learner; stored: Stored; show: (next: Shown) => void }) {
  const t = useLearnerTexts();
  const [isAsked, setAsked] = useState(false);
  const [missing, setMissing] = useState<string>();
  const { run, isBusy, fault } = useTask();
  const heading = useFocused();
  const before = stored.erased_at.map(dateOf).join(', ');

  const download = () =>
    run(async () => {
      const { content, missing: left } = await exported(learner);
      setMissing(left);
      save(content, FILE);
      if (left === undefined) toast(t('exported', FILE));
    });

  if (!stored.found)
    return (
      <Paper withBorder role="status">
        <Empty title={t('none')} help={before === '' ? t('none_help') : t('erased_before', before)} />
      </Paper>
    );
  return (
    <Paper withBorder p="md" component="section">
      <Stack>
        <Title order={2} size="h4" className="wrap" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {t('stored_of', learner.user_id)}
        </Title>
        {before !== '' && <Text>{t('erased_before', before)}</Text>}
        <Text>{t('stored_help')}</Text>
        <Counts report={stored} label={t('stored_of', learner.user_id)} />
        {stored.is_author && <Text>{t('author')}</Text>}
        <Text>{t('export_help')}</Text>
        <FaultAlert fault={fault} />
        {missing !== undefined && (
          <Alert color="red" title={t('incomplete')} role="alert">
            {missing}
          </Alert>
        )}
        <Group>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={isBusy}
            onClick={() => void download()}
          >
            {t('export')}
          </Button>
          <Button
            variant="outline"
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setAsked(true)}
          >
            {t('erase')}
          </Button>
        </Group>
      </Stack>
      <EraseDialog
        learner={learner}
        isOpen={isAsked}
        close={() => setAsked(false)}
        done={(report) => show({ report })}
      />
    </Paper>
  );
}

function Erased({ report }: { report: Report }) {
  const t = useLearnerTexts();
  const heading = useFocused();
  return (
    <Paper withBorder p="md" component="section">
      <Stack>
        <Title order={2} size="h4" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {t('erased')}
        </Title>
        {report.found ? <ErasureReport report={report} /> : <Text>{t('nothing_erased')}</Text>}
      </Stack>
    </Paper>
  );
}

const FILE = 'learner.ndjson';

/** Moves the focus to new content, so that screen readers announce it. */
function useFocused() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return heading;
}
