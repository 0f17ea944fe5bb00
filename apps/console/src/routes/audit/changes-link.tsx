import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../session/session';
import { type Subject, useSubjects } from './audit';
import { useAuditTexts } from './texts';

/** Leads to the changes of one thing, or of all things of a kind. */
export function ChangesLink({ subject, reference }: { subject: Subject; reference?: string }) {
  const t = useAuditTexts();
  const may = useMay();
  const subjects = useSubjects();
  if (!may('get itembank/audit') || !subjects.includes(subject)) return null;
  const search = { subject: [subject], ...(reference === undefined ? {} : { reference }) };
  return (
    <Button
      variant="default"
      leftSection={<IconHistory size={16} aria-hidden />}
      renderRoot={(props) => <Link to="/audit" search={search as never} {...props} />}
    >
      {t('open')}
    </Button>
  );
}
