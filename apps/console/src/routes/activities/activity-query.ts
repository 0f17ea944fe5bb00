import { queryOptions } from '@tanstack/react-query';
import { call, keyOf } from '../../operations/call';
import type { Activity } from '../../operations/operations';
import { STATUSES } from './model';

/** The stored activity; `null` when none has the reference. */
export const activityQuery = (reference: string) =>
  queryOptions({
    queryKey: [...keyOf('get itembank/activities'), 'one', reference],
    queryFn: async ({ signal }): Promise<Activity | null> => {
      const { data } = await call(
        'get itembank/activities',
        {
          references: [reference],
          status: [...STATUSES],
          populate_userdata: true,
          include: { activities: ['title', 'metadata', 'revision', 'dt_updated', 'last_updated_by'] },
        },
        signal,
      );
      return data[0] ?? null;
    },
  });
