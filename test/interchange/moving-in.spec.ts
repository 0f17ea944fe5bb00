import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '#platform';
import { MOODLE_WRITTEN_TYPES } from '../../libs/interchange/src/formats/moodle/write/questions';
import { WRITTEN_TYPES } from '../../libs/interchange/src/formats/qti/write/item';
import { commandHere } from '../support/command-line';
import { anEngine } from '../support/engines';
import { type Settings } from '../support/processes';
import { startService, type TestService } from '../support/service';

const GUIDES = ['moving-in.md', 'csv-sheet.md'];

/** The files of a guide, and its commands with the last line of the output of each. */
function examplesOf(guide: string): {
  files: [name: string, content: string][];
  commands: [file: string, last: string][];
} {
  const text = readFileSync(join(__dirname, '../../docs', guide), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)(?: file=(\S+))?\n([^]*?)^```$/gm)].map(([, language, name, content]) => ({
    language,
    name,
    content: content!,
  }));
  return {
    files: blocks.flatMap(({ name, content }) => (name === undefined ? [] : [[name, content] as [string, string]])),
    commands: blocks.flatMap(({ language, content }) => {
      const [, file, last] = /^\$ itembank import (\S+)\n(.*)$/m.exec(language === 'console' ? content : '') ?? [];
      return file === undefined ? [] : [[file, last!] as [string, string]];
    }),
  };
}

describe.each(anEngine(__filename))('a guide to moving in on %s', (engine) => {
  let service: TestService;
  let settings: Settings;
  const folder = mkdtempSync(join(tmpdir(), 'itembank-guide-'));
  beforeAll(async () => {
    service = await startService(engine);
    const { databaseUrl, dataDir } = service.service.app.get(Config, { strict: false });
    settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SECRETS_KEY: '11'.repeat(32) };
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true });
  });

  it.each(GUIDES.flatMap((guide) => examplesOf(guide).commands.map(([file, last]) => ({ guide, file, last }))))(
    '$guide: importing $file prints the output of the guide',
    async ({ guide, file, last }) => {
      for (const [name, content] of examplesOf(guide).files) writeFileSync(join(folder, name), content);
      const { code, stdout } = await commandHere(['import', join(folder, file)], { settings });
      expect(code).toBe(0);
      expect(stdout).toContain(last);
    },
  );

  it.each([...WRITTEN_TYPES, ...MOODLE_WRITTEN_TYPES])('says how an export writes %s', (type) => {
    const [, guide] = readFileSync(join(__dirname, '../../docs/moving-in.md'), 'utf8').split('## Moving out');
    expect(guide).toContain(`\`${type}\``);
  });

  it('shows a command in each guide', () => {
    expect(GUIDES.map((guide) => examplesOf(guide).commands.length)).toEqual([4, 1]);
  });
});
