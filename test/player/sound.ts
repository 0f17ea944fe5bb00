import type { Route } from 'playwright-core';

/** Silence as a WAV file. */
function silence(seconds: number): Buffer {
  const rate = 8_000;
  const length = seconds * rate;
  const file = Buffer.alloc(44 + length, 128);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + length, 4);
  file.write('WAVEfmt ', 8);
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate],
    [40, length],
  ] as const)
    file.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    file.writeUInt16LE(value, at);
  file.write('data', 36);
  return file;
}

/** Answers the call for a sound. Browsers seek only in files of which they can load a part. */
export function giveSilence(route: Route, seconds = 2): Promise<void> {
  const file = silence(seconds);
  const from = Number(/bytes=(\d+)/.exec(route.request().headers()['range'] ?? '')?.[1] ?? 0);
  return route.fulfill({
    status: 206,
    contentType: 'audio/wav',
    headers: { 'Content-Range': `bytes ${from}-${file.length - 1}/${file.length}`, 'Accept-Ranges': 'bytes' },
    body: file.subarray(from),
  });
}
