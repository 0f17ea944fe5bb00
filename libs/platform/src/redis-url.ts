/** Reads a Redis address. `prefix` in the query is the prefix of all keys, so that installations can share a server. */
export function readRedisUrl(text: string): { url: string; prefix: string } {
  const url = new URL(text);
  const prefix = url.searchParams.get('prefix') ?? 'itembank';
  url.searchParams.delete('prefix');
  return { url: url.href, prefix };
}

/**
 * Option `reconnectOnError` of the driver. Connects again when the server has become a read-only replica, because the
 * address may lead to the new primary.
 */
export const isReadOnly = ({ message }: Error): boolean => message.includes('READONLY');
