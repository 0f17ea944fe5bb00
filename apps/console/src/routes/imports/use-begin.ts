import { useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '../../operations/call';
import type { Import } from '../../operations/operations';

/** Starts the jobs of an import, and reads its state again. */
export function useBegin({ reference, plan }: Import) {
  const queries = useQueryClient();
  const again = async () => {
    await queries.invalidateQueries({ queryKey: keyOf('get jobs') });
    await queries.invalidateQueries({ queryKey: keyOf('get itembank/imports') });
  };
  return {
    async apply() {
      await call('set itembank/imports/apply', { reference, plan: plan ?? '' });
      await again();
    },
    async revert() {
      await call('set itembank/imports/revert', { reference });
      await again();
    },
  };
}
