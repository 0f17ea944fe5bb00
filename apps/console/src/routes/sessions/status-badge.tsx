import { Badge } from '@mantine/core';
import { isStatus, useSessionsTexts } from './texts';

const COLOURS = { Completed: 'green', Incomplete: 'blue', Discarded: 'gray' } as const;

export function StatusBadge({ status }: { status: string }) {
  const t = useSessionsTexts();
  if (!isStatus(status))
    return (
      <Badge variant="outline" tt="none">
        {status}
      </Badge>
    );
  return (
    <Badge variant="outline" color={COLOURS[status]} c="var(--mantine-color-text)" tt="none">
      {t(status)}
    </Badge>
  );
}
