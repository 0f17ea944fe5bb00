import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MOODLE_WRITTEN_TYPES } from '../../libs/interchange/src/formats/moodle/write/questions';
import { WRITTEN_TYPES } from '../../libs/interchange/src/formats/qti/write/item';
import { commandHere } from '../support/command-line';
import { anEngine } from '../support/engines';
import { expectSuccess } from '../support/failure';
import { Installation } from './support/two-installations';

const GUIDES = ['moving-in.md', 'csv-sheet.md'];

interface Command {
  /** The command after `itembank`. */
  line: string;
  /** The end of its output; empty where the guide shows none. */
  last: string;
}

/** The files and the commands of a guide. */
function examplesOf(guide: string): { files: [name: string, content: string][]; commands: Command[] } {
  const text = readFileSync(join(__dirname, '../../docs', guide), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)(?: file=(\S+))?\n([^]*?)^```$/gm)].map(([, language, name, content]) => ({
    language,
    name,
    content: content!,
  }));
  return {
    files: blocks.flatMap(({ name, content }) => (name === undefined ? [] : [[name, content] as [string, string]])),
    commands: blocks.flatMap(({ language, content }) =>
      [...(language === 'console' ? content : '').matchAll(/^\$ itembank (.*)\n((?!\$).*)?/gm)].map(
        ([, line, last]) => ({
          line: line!,
          last: last ?? '',
        }),
      ),
    ),
  };
}

/** The bank of the first start, whose items the guides name. */
const DEMO = JSON.parse(readFileSync(join(__dirname, '../../apps/api/demo/bank.json'), 'utf8')) as Record<
  string,
  object[]
>;

describe.each(anEngine(__filename))('the guides to moving in on %s', (engine) => {
  let installation: Installation;
  const folder = mkdtempSync(join(tmpdir(), 'itembank-guide-'));
  beforeAll(async () => {
    installation = await Installation.start(engine);
    for (const member of ['questions', 'features', 'items', 'activities'])
      expectSuccess(await installation.client.set(`itembank/${member}`, { [member]: DEMO[member] }));
  });
  afterAll(async () => {
    await installation?.stop();
    rmSync(folder, { recursive: true });
  });

  /** The command with the address and the key of this installation, whose other organisation gets what it pulls. */
  const withValues = (line: string) =>
    line
      .replace('https://data.example.com', installation.service.url)
      .replace('abc123', installation.puller.key)
      .replace('--organisation 1', '--organisation 2');

  it.each(GUIDES.flatMap((guide) => examplesOf(guide).commands.map((command) => ({ guide, ...command }))))(
    'give a command that succeeds with the printed output: itembank $line in $guide',
    async ({ guide, line, last }) => {
      for (const [name, content] of examplesOf(guide).files) writeFileSync(join(folder, name), content);
      const settings = { ...installation.settings, ITEMBANK_PULL_SECRET: installation.puller.secret };
      const { code, stdout } = await commandHere(withValues(line).split(' '), { settings, cwd: folder });
      expect(code).toBe(0);
      expect(stdout).toContain(last);
      const [verb, path] = line.split(' ');
      if (verb === 'export') expect(existsSync(join(folder, path!))).toBe(true);
    },
  );

  it('pull all items of the bank', async () => {
    const { code, stdout } = await commandHere(['export', 'pulled', '--organisation', '2', '--json'], {
      settings: installation.settings,
      cwd: folder,
    });
    expect(code).toBe(0);
    expect(stdout).not.toBe('');
    const lines = readFileSync(join(folder, 'pulled/bank.ndjson'), 'utf8').trim().split('\n');
    const items = lines.map((text) => JSON.parse(text) as { kind: string }).filter(({ kind }) => kind === 'item');
    expect(items).toHaveLength(DEMO.items!.length);
  });

  it.each([...WRITTEN_TYPES, ...MOODLE_WRITTEN_TYPES])('say how an export writes %s', (type) => {
    const [, guide] = readFileSync(join(__dirname, '../../docs/moving-in.md'), 'utf8').split('## Moving out');
    expect(guide).toContain(`\`${type}\``);
  });

  it('each show a command', () => {
    expect(GUIDES.map((guide) => examplesOf(guide).commands.length)).toEqual([10, 1]);
  });
});
