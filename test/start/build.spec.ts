import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolders } from '../support/processes';
import { run } from '../support/servers/run';

const root = resolve(__dirname, '../..');
const folder = temporaryFolders();

/** A small project that is built by the tools of this repository. */
class Project {
  readonly path = folder();

  constructor() {
    for (const part of ['tools', 'apps/greeter', 'apps/player', 'apps/console', 'libs/renderer'])
      mkdirSync(join(this.path, part), { recursive: true });
    for (const file of ['tools/build.cjs', 'tools/run.cjs', '.swcrc', 'package.json'])
      copyFileSync(join(root, file), join(this.path, file));
    symlinkSync(join(root, 'node_modules'), join(this.path, 'node_modules'));
    this.write(
      'apps/greeter/main.ts',
      `import { word } from '../../libs/word';\nconsole.log(word, ...process.argv.slice(2));`,
    );
    this.write('libs/word.ts', `export const word: string = 'one';`);
    this.write('libs/renderer/look.ts', `export const look = 'plain';`);
    // Stubs of the bundlers, which count their calls and write as many files as a real bundle has.
    for (const app of ['player', 'console'])
      this.write(
        `apps/${app}/build.mjs`,
        `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
mkdirSync(process.argv[2], { recursive: true });
for (let part = 0; part < 200; part++) writeFileSync(process.argv[2] + '/part-' + part, 'x');
appendFileSync('${join(this.path, `${app}-bundles`)}', 'x');`,
      );
  }

  /** The number of times that the browser code of the player, and that of the console, was bundled. */
  get bundles(): number[] {
    return ['player', 'console'].map((app) => statSync(join(this.path, `${app}-bundles`)).size);
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.path, file), text);
  }

  run(...args: string[]) {
    const command = [process.execPath, join(this.path, 'tools/run.cjs'), 'apps/greeter/main', ...args];
    return run(command, { cwd: folder() });
  }

  /** The time of the build. */
  get builtAt(): number {
    return statSync(join(this.path, 'dist/.sources')).mtimeMs;
  }
}

describe('tools/run.cjs', () => {
  let project: Project;
  beforeEach(async () => {
    project = new Project();
    expect(await project.run('two', '--three')).toEqual({ code: 0, stdout: 'one two --three\n', stderr: '' });
  });

  it('runs the existing build while no source changes', async () => {
    const { builtAt } = project;
    utimesSync(join(project.path, 'libs/word.ts'), new Date(), new Date());
    project.write('libs/word.spec.ts', 'the build ignores this file');
    expect((await project.run()).stdout).toBe('one\n');
    expect(project.builtAt).toBe(builtAt);
  });

  it('builds a changed source, even with its old time and size', async () => {
    const word = join(project.path, 'libs/word.ts');
    const { atime, mtime } = statSync(word);
    project.write('libs/word.ts', `export const word: string = 'two';`);
    utimesSync(word, atime, mtime);
    expect((await project.run()).stdout).toBe('two\n');
  });

  it('bundles the browser code only when some of it changed', async () => {
    project.write('libs/word.ts', `export const word: string = 'two';`);
    await project.run();
    expect(project.bundles).toEqual([1, 1]);
    project.write('libs/renderer/look.ts', `export const look = 'fancy';`);
    await project.run();
    expect(project.bundles).toEqual([2, 2]);
    project.write('apps/console/screen.ts', `export const screen = 'new';`);
    await project.run();
    expect(project.bundles).toEqual([2, 3]);
  });

  it('builds an added source', async () => {
    project.write('libs/added.ts', `export {};`);
    expect((await project.run()).stdout).toBe('one\n');
    expect(existsSync(join(project.path, 'dist/libs/added.js'))).toBe(true);
  });

  it('removes deleted and renamed sources from the build', async () => {
    renameSync(join(project.path, 'libs/word.ts'), join(project.path, 'libs/renamed.ts'));
    const renamed = await project.run();
    expect(renamed.code).toBe(1);
    expect(renamed.stderr).toContain(`Cannot find module '../../libs/word'`);
    rmSync(join(project.path, 'libs/renamed.ts'));
    await project.run();
    expect(existsSync(join(project.path, 'dist/libs'))).toBe(false);
  });

  it('builds again when the compiler settings change', async () => {
    const { builtAt } = project;
    copyFileSync(join(root, '.swcrc'), join(project.path, '.swcrc'));
    await project.run();
    expect(project.builtAt).toBe(builtAt);
    project.write(
      '.swcrc',
      JSON.stringify({ jsc: { parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } }),
    );
    expect((await project.run()).stdout).toBe('one\n');
    expect(project.builtAt).not.toBe(builtAt);
  });

  it('runs nothing when a source cannot be compiled, and leaves no files behind', async () => {
    project.write('libs/word.ts', `export const word = ;`);
    for (const _again of [1, 2]) {
      const { code, stdout, stderr } = await project.run();
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('libs/word.ts');
    }
    expect(readdirSync(project.path).filter((name) => name.startsWith('.dist'))).toEqual([]);
  });

  it('lets several programs that start after a change run the new build, and leaves no files behind', async () => {
    project.write('libs/word.ts', `export const word: string = 'new';`);
    const results = await Promise.all(Array.from({ length: 6 }, () => project.run()));
    expect(results.map(({ stdout, stderr }) => stdout + stderr)).toEqual(Array(6).fill('new\n'));
    expect(readdirSync(project.path).filter((name) => name.startsWith('.dist'))).toEqual([]);
  });
});
