import { Button, Menu, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf } from '../../operations/call';
import { useMay } from '../../session/session';
import { Ask } from '../../ui/dialog';
import { JobProgress } from '../../ui/job-progress';
import { toast } from '../../ui/toast';
import { type Status, STATUSES, useSessionsTexts } from './texts';

interface ChangeStatusProps {
  sessions: readonly { session_id: string; user_id: string }[];
  /** The current status of a single session. */
  present?: string;
}

const MAX_SESSIONS = 100;
const READS = ['get sessions/statuses', 'get sessions/scores', 'get sessions/responses', 'get itembank/audit'] as const;

/** Changes the status of sessions, after confirmation. Only shown to people who may do so. */
export function ChangeStatus({ sessions, present }: ChangeStatusProps) {
  const t = useSessionsTexts();
  const may = useMay();
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<Status | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [job, setJob] = useState<string | null>(null);
  if (!may('update jobs/sessions/statuses')) return null;

  async function change(status: Status) {
    const statuses = sessions.map(({ session_id, user_id }) => ({ session_id, user_id, status }));
    const { data } = await call('update jobs/sessions/statuses', { statuses });
    setJob(data.job_reference);
  }

  async function changed() {
    toast(t('status_done'));
    await Promise.all(READS.map((name) => queries.invalidateQueries({ queryKey: keyOf(name) })));
  }

  return (
    <>
      <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" disabled={sessions.length === 0}>
            {sessions.length === 1 && present ? t('change_status') : t('change_status_of', sessions.length)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {sessions.length > MAX_SESSIONS ? (
            <Text size="sm" p="xs">
              {t('too_many')}
            </Text>
          ) : (
            STATUSES.filter((status) => status !== present).map((status) => (
              <Menu.Item
                key={status}
                onClick={() => {
                  setWanted(status);
                  setAsking(true);
                }}
              >
                {t('change_to', t(status))}
              </Menu.Item>
            ))
          )}
        </Menu.Dropdown>
      </Menu>
      {wanted && (
        <Ask
          title={t('ask_status', t(wanted))}
          text={t(`ask_${wanted}`, sessions.length)}
          action={t('change_to', t(wanted))}
          isOpen={isAsking}
          close={() => setAsking(false)}
          work={() => change(wanted)}
        />
      )}
      {job && (
        <div style={{ flexBasis: '100%' }}>
          <JobProgress reference={job} label={t('status_job')} done={() => void changed()} />
        </div>
      )}
    </>
  );
}
