/** An address of Redis, with what its keys begin with: `prefix` in the query, so that installations share a server. */
export function readRedisUrl(text: string): { url: string; prefix: string } {
  const url = new URL(text);
  const prefix = url.searchParams.get('prefix') ?? 'itembank';
  url.searchParams.delete('prefix');
  return { url: url.href, prefix };
}
