import { hkdfSync } from 'node:crypto';
import { type Clock } from '#kernel';
import { type Config } from '../config/config';
import { type Files } from './files';
import { LocalFiles } from './local-files';
import { type S3Files } from './s3-files';

const KEY_BYTES = 32;

/** Opens the store that ASSETS_URL names. */
export function openFiles(config: Config, clock: Clock): Files {
  if (config.assetsUrl.startsWith('s3:')) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loads it only when needed, because it is slow to load
    const s3 = require('./s3-files') as { S3Files: typeof S3Files };
    return new s3.S3Files(config.assetsUrl, config.assetsPublicUrl, clock);
  }
  const base = () => config.assetsPublicUrl ?? `${config.ownUrl}/assets`;
  const signingKey = hkdfSync(
    'sha256',
    config.secretsKey,
    Buffer.alloc(0),
    'itembank/purpose/asset uploads',
    KEY_BYTES,
  );
  return new LocalFiles(config.assetsUrl.slice('file:'.length), base, Buffer.from(signingKey), clock);
}
