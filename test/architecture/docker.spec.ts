import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { settings } from '#platform';

const root = resolve(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface ComposedService {
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }> | string[];
  deploy?: { replicas: number };
  volumes?: string[];
  networks?: Record<string, { aliases: string[] }>;
}

/** No container engine is available for tests, so these check the files only. */
describe('docker/', () => {
  const composed = parse(read('docker/compose.yml'), { merge: true }) as {
    services: Record<string, ComposedService>;
    volumes: Record<string, unknown>;
  };
  const dockerfile = read('docker/Dockerfile');
  const { services } = composed;

  it('starts one API and two workers that differ only in their program', () => {
    const { api, worker } = services;
    expect(worker!.deploy!.replicas).toBe(2);
    expect(worker!.environment).toEqual(api!.environment);
    expect(worker!.volumes).toEqual(api!.volumes);
    expect(worker!.command).toEqual(['node', 'dist/apps/worker/src/main.js']);
  });

  it('names existing settings, and servers that it starts', () => {
    const known = Object.keys(settings.properties);
    const { environment } = services.api!;
    // The library for S3 reads the credentials of a bucket from these variables.
    const others = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
    for (const name of Object.keys(environment!)) expect([...known, ...others]).toContain(name);
    for (const name of ['DATABASE_URL', 'QUEUE_URL'])
      expect(services).toHaveProperty(new URL(environment![name]!).hostname);
    const endpoint = /endpoint=\$\{S3_ADDRESS:-http:\/\/([^:]+):9000\}/.exec(environment!.ASSETS_URL!);
    expect(services.s3!.networks!.default!.aliases).toContain(endpoint![1]);
    const knownNames = [...known, 'NODE_ENV', 'NODE_OPTIONS'];
    for (const [, name] of dockerfile.matchAll(/\b([A-Z_]+)=\S+/g)) expect(knownNames).toContain(name);
  });

  it('takes the public address, and trusts a proxy of this machine, which reaches the API from a private address', () => {
    expect(services.api!.environment).toMatchObject({
      PUBLIC_URL: '${PUBLIC_URL:-}',
      TRUSTED_PROXIES: '${TRUSTED_PROXIES:-uniquelocal}',
    });
  });

  it('waits for services and uses volumes that it defines', () => {
    for (const { depends_on = {}, volumes = [] } of Object.values(services)) {
      for (const name of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on))
        expect(services).toHaveProperty(name);
      for (const volume of volumes) expect(composed.volumes).toHaveProperty(volume.split(':')[0]!);
    }
  });

  it('shows commands for a database server that starts, and has no tables yet', () => {
    const shown = [...read('docker/compose.yml').matchAll(/^# .*cli\/src\/main\.js (\w+)/gm)];
    // Only the first of them waits for the server, and for the tables.
    expect(shown.map(([, command]) => command)).toEqual(['migrate', 'organisation', 'consumer']);
  });

  it('copies files of the repository, and runs programs that the build makes', () => {
    for (const [, paths] of dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm))
      for (const path of paths!.split(' ')) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    const programs = [dockerfile, read('docker/compose.yml')].flatMap((text) => [
      ...text.matchAll(/dist\/(\S+?)\.js/g),
    ]);
    expect(programs.length).toBeGreaterThan(2);
    for (const [, program] of programs)
      expect([program, existsSync(join(root, `${program}.ts`))]).toEqual([program, true]);
  });

  it('puts everything that its programs need into the image', () => {
    for (const part of Object.values(JSON.parse(read('package.json')).imports as Record<string, string>))
      expect(part).toMatch(/^\.\/dist\/libs\//);
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  });
});
