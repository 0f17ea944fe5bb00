import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '#platform';

describe('settings', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'itembank-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('have defaults for a quick start', () => {
    const config = Config.read({ DATA_DIR: folder });
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      embedded: true,
      databaseUrl: `file:${folder}/itembank.sqlite`,
      maxBodyBytes: 20 * 1024 * 1024,
      signatureMaxAgeMs: 7 * 24 * 3600 * 1000,
      signatureMaxAheadMs: 15 * 60 * 1000,
    });
  });

  it('keep a key of their own beside an embedded database, readable by its owner alone', () => {
    const first = Config.read({ DATA_DIR: folder });
    const second = Config.read({ DATA_DIR: folder });
    expect(first.secretsKey).toHaveLength(32);
    expect(second.secretsKey.equals(first.secretsKey)).toBe(true);
    const path = join(folder, 'secrets.key');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8').trim()).toBe(first.secretsKey.toString('hex'));
  });

  it('demand a key with a database server, and say how to make one', () => {
    const read = () => Config.read({ DATA_DIR: folder, DATABASE_URL: 'mysql://u:p@127.0.0.1:3306/itembank' });
    expect(read).toThrow(/SECRETS_KEY is required with a database server.*openssl rand -hex 32/);
  });

  it('refuse a damaged key file', () => {
    writeFileSync(join(folder, 'secrets.key'), 'rubbish');
    expect(() => Config.read({ DATA_DIR: folder })).toThrow(/secrets\.key must hold 64 hexadecimal digits/);
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['DATABASE_URL', 'postgres://x'],
    ['DATABASE_CONNECTIONS', '0'],
    ['SECRETS_KEY', 'abc'],
    ['MAX_BODY_BYTES', '10'],
    ['LOG_LEVEL', 'loud'],
  ])('name %s when it is %s', (name, value) => {
    expect(() => Config.read({ DATA_DIR: folder, [name]: value })).toThrow(new RegExp(`^${name} is not valid[.:] `));
  });

  it('name all that are wrong at once', () => {
    expect(() => Config.read({ DATA_DIR: folder, PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT[^]*LOG_LEVEL/);
  });

  it('take an empty variable for none', () => {
    expect(Config.read({ DATA_DIR: folder, PORT: '', DATABASE_URL: '' }).port).toBe(8080);
  });
});
