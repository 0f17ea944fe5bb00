import { Fault, place } from '#kernel';
import { read, wrongType } from '../../declaration/fields';

/** One of these statuses of a session, in any case. */
export function statusAmong<S extends string>(statuses: readonly S[], description?: string) {
  const plain = new Map(statuses.map((status) => [status.toLowerCase(), status]));
  const listed = statuses.join(', ');
  return read<S>(
    (value, at) => {
      if (typeof value !== 'string') throw wrongType(at, 'text');
      const found = plain.get(value.toLowerCase());
      if (found) return found;
      const given = JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
      throw new Fault('value', `${place(at)} must be one of ${listed}; it is ${given}.`, at);
    },
    { type: 'string', description: `${description ? `${description} ` : ''}${listed}; ignores case.` },
  );
}
