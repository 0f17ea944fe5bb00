import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
      assetsUrl: `file:${folder}/assets`,
      assetsPublicUrl: undefined,
      ownUrl: 'http://127.0.0.1:8080',
      maxAssetBytes: 100 * 1024 * 1024,
      signatureMaxAgeMs: 7 * 24 * 3600 * 1000,
      signatureMaxAheadMs: 15 * 60 * 1000,
    });
  });

  it('create a key beside an embedded database, readable only by its owner', () => {
    const first = Config.read({ DATA_DIR: folder });
    const second = Config.read({ DATA_DIR: folder });
    expect(first.secretsKey).toHaveLength(32);
    expect(second.secretsKey.equals(first.secretsKey)).toBe(true);
    const path = join(folder, 'secrets.key');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8').trim()).toBe(first.secretsKey.toString('hex'));
  });

  it('use the complete key that another process created at the same time', () => {
    const write = fs.writeFileSync;
    const keys: Buffer[] = [];
    const writing = jest.spyOn(fs, 'writeFileSync').mockImplementationOnce((path, data, options) => {
      write(path, '', options);
      keys.push(Config.read({ DATA_DIR: folder }).secretsKey);
      write(path, data);
    });
    try {
      keys.push(Config.read({ DATA_DIR: folder }).secretsKey);
    } finally {
      writing.mockRestore();
    }
    expect(keys[1]!.equals(keys[0]!)).toBe(true);
    expect(readdirSync(folder)).toEqual(['secrets.key']);
  });

  it('name a value that is not a proxy address', () => {
    const read = (TRUSTED_PROXIES: string) => Config.read({ DATA_DIR: folder, TRUSTED_PROXIES });
    expect(read('loopback, 10.1.0.0/16 2001:db8::1').trustedProxies).toEqual([
      'loopback',
      '10.1.0.0/16',
      '2001:db8::1',
    ]);
    expect(() => read('10.1.0.0/16, proxy.internal')).toThrow('TRUSTED_PROXIES: "proxy.internal" is not an address');
  });

  it('require a key with a database server, and say how to make one', () => {
    const read = () => Config.read({ DATA_DIR: folder, DATABASE_URL: 'mysql://u:p@127.0.0.1:3306/itembank' });
    expect(read).toThrow(/SECRETS_KEY is required with a database server.*openssl rand -hex 32/);
  });

  it('reject a replica of an embedded database', () => {
    const read = () => Config.read({ DATA_DIR: folder, DATABASE_READ_URL: 'mysql://u:p@127.0.0.1:3306/itembank' });
    expect(read).toThrow(/^DATABASE_READ_URL needs a database server in DATABASE_URL/);
  });

  it('reject a damaged key file', () => {
    writeFileSync(join(folder, 'secrets.key'), 'rubbish');
    expect(() => Config.read({ DATA_DIR: folder })).toThrow(/secrets\.key must hold 64 hexadecimal digits/);
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['DATABASE_URL', 'postgres://x'],
    ['DATABASE_READ_URL', 'file:copy.sqlite'],
    ['DATABASE_CONNECTIONS', '0'],
    ['SECRETS_KEY', 'abc'],
    ['MAX_BODY_BYTES', '10'],
    ['ASSETS_URL', 'gs://bucket'],
    ['ASSETS_URL', 's3://'],
    ['ASSETS_URL', '/var/assets'],
    ['ASSETS_PUBLIC_URL', 'media.example.org'],
    ['ASSETS_PUBLIC_URL', 'ftp://media.example.org'],
    ['ASSETS_PUBLIC_URL', 'https://media.example.org/?a=b'],
    ['MAX_ASSET_BYTES', '10'],
    ['LOG_LEVEL', 'loud'],
  ])('report %s when it is %s', (name, value) => {
    expect(() => Config.read({ DATA_DIR: folder, [name]: value })).toThrow(new RegExp(`^${name} is not valid[.:] `));
  });

  it.each([
    ['PORT', '80.5', 'it is "80.5". It must be a whole number from 0 to 65535.'],
    ['DATABASE_CONNECTIONS', '1e2', 'it is "1e2". It must be a whole number from 1 to 1000.'],
    ['JOB_RETENTION_DAYS', '0', 'it is "0". It must be a whole number from 1 to 36500.'],
    ['MAX_ASSET_BYTES', '10', 'it is "10". It must be a whole number of at least 1024.'],
    ['OTEL_TRACES_SAMPLER_ARG', '2', 'it is "2". It must be a number from 0 to 1.'],
    ['WEBHOOK_ALLOW_HTTP', 'yes', 'it is "yes". It must be true or false.'],
    ['CONSOLE', 'yes', 'it is "yes". It must be one of on, off.'],
  ])('quote %s when it is %s, and say what is allowed', (name, value, message) => {
    expect(() => Config.read({ DATA_DIR: folder, [name]: value })).toThrow(
      expect.objectContaining({ message: `${name} is not valid: ${message}` }) as Error,
    );
  });

  it.each([
    ['DATABASE_URL', 'mysql://me:tell/nobody@db:3306/bank'],
    ['DATABASE_URL', 'mysql://me:tell#nobody@db:3306/bank'],
    ['DATABASE_URL', 'mysql://me:tell%nobody@db:3306/bank'],
    ['DATABASE_URL', 'mysql://me:tellnobody@db:port/bank'],
    ['DATABASE_READ_URL', 'mysql://me:tell?nobody@db/bank'],
    ['QUEUE_URL', 'redis://:tell#nobody@redis:6379'],
    ['STREAMS_URL', 'redis://:tell%nobody@redis:6379'],
    ['QUEUE_URL', 'redis://:tell/nobody@redis:6379'],
    ['QUEUE_URL', 'redis://:nobody@redis:6379/queue'],
  ])('report that %s is not an address when it is %s, without the password', (name, value) => {
    const settings = { DATA_DIR: folder, DATABASE_URL: 'mysql://db/bank', SECRETS_KEY: 'ab'.repeat(32), [name]: value };
    const read = () => Config.read(settings);
    expect(read).toThrow(new RegExp(`^${name} is not an address: .* / as %2F, .* number`));
    expect(read).not.toThrow(/nobody/);
  });

  it.each(['DATABASE_URL', 'DATABASE_READ_URL'])('reject parameters of %s, which nothing would use', (name) => {
    const settings = {
      DATABASE_URL: 'mysql://db/bank',
      SECRETS_KEY: 'ab'.repeat(32),
      [name]: 'mysql://db/bank?ssl=true',
    };
    expect(() => Config.read(settings)).toThrow(new RegExp(`^${name} takes no parameters after \\?; .* no TLS`));
  });

  it.each(['QUEUE_URL', 'STREAMS_URL'])('reject parameters of %s other than the prefix', (name) => {
    const read = (url: string) => Config.read({ DATA_DIR: folder, [name]: url });
    expect(() => read('rediss://redis:6379/1?prefix=a&ssl_cert_reqs=none')).toThrow(
      new Error(`${name} takes no parameters after ? but prefix=NAME.`),
    );
    expect(() => read('redis://redis?prefix=a')).not.toThrow();
  });

  it('take addresses with any user and password', () => {
    const DATABASE_URL = 'mysql://me:t%2F%23%3F%25@@db:3306/bank';
    const QUEUE_URL = 'rediss://:t%2F%23@redis:6379/1?prefix=a';
    const config = Config.read({ DATA_DIR: folder, DATABASE_URL, QUEUE_URL, SECRETS_KEY: 'ab'.repeat(32) });
    expect([config.databaseUrl, config.queueUrl]).toEqual([DATABASE_URL, QUEUE_URL]);
  });

  it('report all wrong settings at once', () => {
    expect(() => Config.read({ DATA_DIR: folder, PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT[^]*LOG_LEVEL/);
  });

  it.each([
    ['https://media.example.org/a/', 'https://media.example.org/a'],
    ['//media.example.org', 'https://media.example.org'],
    ['http://media.example.org:81//', 'http://media.example.org:81'],
  ])('read %s as the base of public addresses', (given, base) => {
    expect(Config.read({ DATA_DIR: folder, ASSETS_PUBLIC_URL: given }).assetsPublicUrl).toBe(base);
  });

  it.each([
    ['0.0.0.0', 'http://127.0.0.1:81'],
    ['::', 'http://[::1]:81'],
    ['::1', 'http://[::1]:81'],
    ['itembank.example.org', 'http://itembank.example.org:81'],
  ])('give the address of a service on %s', (host, url) => {
    expect(Config.read({ DATA_DIR: folder, HOST: host, PORT: '81' }).ownUrl).toBe(url);
  });

  it('treat an empty variable as absent', () => {
    expect(Config.read({ DATA_DIR: folder, PORT: '', DATABASE_URL: '' }).port).toBe(8080);
  });
});
