import fc from 'fast-check';
import { HOUR } from '../support/time';
import { type Callers, type Draft, judgeEnvelope, type RouteBreakage, type Source, textsOf } from './fuzz-source';
import { type HttpCall } from './http-call';

/* Requests for files and pages, and uploads to signed addresses. */

const TYPE = 'image/png';
/** The number of files that uploads create and replace. */
const UPLOADS = 8;

/** The called paths of each route, as its controller declares it. */
const PATHS: Record<string, readonly string[]> = {
  'GET player/*path': ['/player/@name', '/player/items.js', '/player/package.json'],
  'GET console': ['/console'],
  'GET console/*path': ['/console/', '/console/items/@name', '/console/frame.html', '/console/assets/@name'],
  'GET try': ['/try'],
  'GET try/page.js': ['/try/page.js'],
  'GET try/:reference': ['/try/@name'],
  ALL: ['/'],
  'ALL openapi.json': ['/openapi.json'],
  'ALL docs': ['/docs'],
  'ALL docs/*name': ['/docs/load.md', '/docs/page.css', '/docs/@name'],
  'GET health/live': ['/health/live'],
  'GET health/ready': ['/health/ready'],
  'ALL assets/*path': ['/assets/1/fuzz/0.png', '/assets/1/@name', '/assets/private/1/@name', '/assets/@name'],
  'ALL *path': ['/@name'],
};
const HEADERS: readonly Record<string, string>[] = [
  {},
  { Accept: 'text/html' },
  { Accept: 'application/json' },
  { Range: 'bytes=0-1' },
  { Range: 'bytes=99999999-' },
  { Range: 'bytes=x' },
  { 'If-Match': '"x"' },
  { 'If-None-Match': '*' },
  { 'If-Modified-Since': 'x' },
  { Origin: 'https://elsewhere.example', 'Accept-Encoding': 'gzip' },
];
const fileSource = (route: string, path: string): Source => ({
  route,
  weight: 1,
  ...textsOf(path),
  judge: ({ status, headers, text }) =>
    // A file may be any text.
    status < 400 ? 'succeeded' : judgeEnvelope({ status, headers, text }),
  make: (_, { number, path: filled }) => {
    const headers = HEADERS[number % HEADERS.length]!;
    return { method: 'GET', path: filled.replace('@name', 'nowhere'), headers };
  },
  breakages: [],
});

const put = (path: string, body: string): HttpCall => ({
  method: 'PUT',
  path,
  headers: { 'Content-Type': TYPE },
  body,
});
const keyOf = (number: number) => `fuzz/${number % UPLOADS}.png`;
const withUploadPath = (
  change: (path: string) => string,
  { wait = HOUR, type = TYPE }: { wait?: number; type?: string } = {},
): RouteBreakage['make'] => {
  return async (callers: Callers, call: HttpCall, { number }: Draft) => ({
    ...call,
    path: change(await callers.uploadPath(`refused/${number}.png`, type, Date.now() + wait)),
  });
};
const same = (path: string) => path;

const upload: Source = {
  route: 'ALL assets/*path',
  weight: 3,
  ...textsOf('/assets/1/fuzz', fc.string({ maxLength: 3_000 })),
  judge: judgeEnvelope,
  make: async (callers, { number, text }) =>
    put(await callers.uploadPath(keyOf(number), TYPE, Date.now() + HOUR), text),
  breakages: [
    { name: 'expired address', make: withUploadPath(same, { wait: -60_000 }) },
    { name: 'other type', make: withUploadPath(same, { type: 'text/html' }) },
    { name: 'no signature', make: withUploadPath((path) => path.split('?')[0]!) },
    { name: 'other signature', make: withUploadPath((path) => path.replace(/signature=\w{8}/, 'signature=00000000')) },
    { name: 'signature of another name', make: withUploadPath((path) => path.replace('refused/', 'refused/x')) },
    { name: 'later end', make: withUploadPath((path) => path.replace(/expires=\d/, 'expires=9')) },
    { name: 'expires that is not a time', make: withUploadPath((path) => path.replace(/expires=\d+/, 'expires=x')) },
    {
      name: 'POST',
      make: async (callers, call, draft) => ({ ...(await withUploadPath(same)(callers, call, draft)), method: 'POST' }),
    },
  ],
};

export const fileSources = (): Source[] => [
  ...Object.entries(PATHS).flatMap(([route, paths]) => paths.map((path) => fileSource(route, path))),
  upload,
];
