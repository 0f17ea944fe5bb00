import { Badge } from '@mantine/core';
import { isStatus, useSessionsTexts } from './texts';

const COLOURS = { Completed: 'green', Incomplete: 'blue', Discarded: 'gray' } as const;

export function StatusBadge({ status }: { status: string }) {
  const t = useSessionsTexts();
  if (!isStatus(status))
    return (
      <Badge variant="dot" tt="none">
        {status}
      </Badge>
    );
  return (
    <Badge variant="dot" color={COLOURS[status]} tt="none">
      {t(status)}
    </Badge>
  );
}
