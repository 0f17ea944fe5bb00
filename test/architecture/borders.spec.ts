import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const CONFIG = '.dependency-cruiser.cjs';

interface Violation {
  rule: string;
  from: string;
}

/** The rule and the file of each violation in the tree. */
function violationsIn(tree: string): Violation[] {
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const report = execFileSync(
    process.execPath,
    [program, '--config', CONFIG, '--output-type', 'json', 'apps', 'libs'],
    {
      cwd: tree,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const { summary } = JSON.parse(report) as { summary: { violations: { rule: { name: string }; from: string }[] } };
  return summary.violations.map(({ rule, from }) => ({ rule: rule.name, from }));
}

/** The files of a project whose imports are all allowed. */
const INNOCENT: Record<string, string> = {
  'node_modules/typeorm/package.json': '{ "name": "typeorm", "version": "1.0.0", "main": "index.js" }',
  'node_modules/typeorm/index.js': '',
  'node_modules/ulid/package.json': '{ "name": "ulid", "version": "1.0.0", "main": "index.js" }',
  'node_modules/ulid/index.js': '',
  'libs/kernel/src/index.ts': `export * from './id';`,
  'libs/kernel/src/id.ts': `import 'ulid';\nexport type Id = string;`,
  'libs/platform/src/index.ts': `import '#kernel';\nimport 'typeorm';\nexport {};`,
  'libs/scoring/src/index.ts': `import '#kernel';\nexport {};`,
  'libs/access/src/index.ts': `import '#platform';\nexport {};`,
  'libs/people/src/index.ts': `import '#access';\nexport {};`,
  'libs/jobs/src/index.ts': `import '#access';\nexport {};`,
  'libs/events/src/index.ts': `import '#jobs';\nexport {};`,
  'libs/tagging/src/index.ts': `import '#access';\nexport type Tag = string;`,
  'libs/workflows/src/index.ts': `import '#tagging';\nexport {};`,
  'libs/content/src/index.ts': `export * from './application/items';\nexport * from './infrastructure/sql-items';`,
  'libs/content/src/domain/item.ts': [
    `import { createHash } from 'node:crypto';`,
    `import 'ulid';`,
    `import '#kernel';`,
    `import { type Tag } from '#tagging';`,
    `export type Item = [Tag, typeof createHash];`,
  ].join('\n'),
  'libs/content/src/domain/item.spec.ts': `import 'typeorm';\nimport './item';`,
  'libs/content/src/application/items.ts': `import { type Item } from '../domain/item';\nimport '#access';\nexport type Items = Item[];`,
  'libs/content/src/infrastructure/sql-items.ts': `import { type Items } from '../application/items';\nimport 'typeorm';\nexport type Rows = Items;`,
  'libs/pools/src/index.ts': `import '#content';\nexport {};`,
  'libs/sessions/src/index.ts': `import '#pools';\nexport {};`,
  'libs/marking/src/index.ts': `import '#sessions';\nexport {};`,
  'libs/rescoring/src/index.ts': `import '#sessions';\nexport {};`,
  'libs/reporting/src/index.ts': `import '#rescoring';\nexport {};`,
  'libs/delivery/src/index.ts': `import '#reporting';\nexport {};`,
  'libs/learners/src/index.ts': `import '#delivery';\nimport '#reporting';\nexport {};`,
  'libs/runtime/src/index.ts': `import '#learners';\nimport '#sessions';\nexport {};`,
  'libs/renderer/src/index.ts': `export * from './questions/mcq/element';`,
  'libs/renderer/src/questions/mcq/element.ts': `import 'typeorm';\nexport {};`,
  'apps/player/src/main.ts': `import '#renderer';\nexport {};`,
  'apps/api/src/main.ts': `import '#sessions';\nimport '#kernel';\nexport {};`,
};

/** For each rule, a file that breaks it. */
const PLANTED: Record<string, [file: string, source: string]> = {
  'kernel-uses-none-after-it': ['libs/kernel/src/a.ts', `import '#platform';`],
  'platform-uses-none-after-it': ['libs/platform/src/b.ts', `import '#access';`],
  'scoring-uses-none-after-it': ['libs/scoring/src/c.ts', `import '#content';`],
  'access-uses-none-after-it': ['libs/access/src/d.ts', `import '#tagging';`],
  'people-uses-none-after-it': ['libs/people/src/r.ts', `import '#jobs';`],
  'jobs-uses-none-after-it': ['libs/jobs/src/e.ts', `import '#content';`],
  'events-uses-none-after-it': ['libs/events/src/q.ts', `import '#sessions';`],
  'tagging-uses-none-after-it': [
    'libs/tagging/src/f.ts',
    `import { type Items } from '#content';\nexport type F = Items;`,
  ],
  'workflows-uses-none-after-it': ['libs/workflows/src/g.ts', `import '#sessions';`],
  'content-uses-none-after-it': ['libs/content/src/h.ts', `import '#pools';`],
  'pools-uses-none-after-it': ['libs/pools/src/i.ts', `import '#sessions';`],
  'marking-uses-none-after-it': ['libs/marking/src/y.ts', `import '#rescoring';`],
  'rescoring-uses-none-after-it': ['libs/rescoring/src/x.ts', `import '#delivery';`],
  'reporting-uses-none-after-it': ['libs/reporting/src/v.ts', `import '#learners';`],
  'learners-uses-none-after-it': ['libs/learners/src/w.ts', `import '#runtime';`],
  'delivery-uses-none-after-it': ['libs/delivery/src/d.ts', `import '#runtime';`],
  'sessions-uses-none-after-it': ['libs/sessions/src/t.ts', `import '#runtime';`],
  'interchange-uses-none-after-it': ['libs/interchange/src/u.ts', `import '#runtime';`],
  'every-library-has-a-place': ['libs/extras/src/index.ts', `import '#kernel';`],
  'through-the-index': ['apps/api/src/j.ts', `import '../../../libs/content/src/domain/item';`],
  'by-its-name': ['libs/pools/src/k.ts', `import '../../content/src';`],
  'libraries-know-no-application': ['libs/sessions/src/l.ts', `import '../../../apps/api/src/main';`],
  'browsers-know-no-server': ['libs/renderer/src/v.ts', `import '#kernel';`],
  'server-knows-no-browser': ['apps/api/src/w.ts', `import '#renderer';`],
  'questions-know-no-other': ['libs/renderer/src/questions/rating/x.ts', `import '../mcq/element';`],
  'no-application-imports-another': ['apps/worker/src/u.ts', `import '../../api/src/main';`],
  'domain-is-pure': ['libs/content/src/domain/m.ts', `import 'typeorm';`],
  'domain-takes-only-types-of-others': ['libs/content/src/domain/n.ts', `import '#tagging';`],
  'kernel-and-scoring-are-pure': ['libs/scoring/src/o.ts', `import 'typeorm';`],
  'application-knows-no-infrastructure': [
    'libs/content/src/application/p.ts',
    `import { type Rows } from '../infrastructure/sql-items';\nexport type P = Rows;`,
  ],
  'formats-are-pure': ['libs/interchange/src/formats/v.ts', `import '#platform';`],
  'no-cycles': ['libs/access/src/q.ts', `import './q-again';`],
  'no-orphans': ['libs/access/src/r.ts', `export const alone = true;`],
  'nothing-unresolved': ['apps/api/src/s.ts', `import '#nowhere';`],
};
const FURTHER = { 'libs/access/src/q-again.ts': `import './q';` };

function build(tree: string, files: Record<string, string>): void {
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), source);
  }
}

describe('the borders between libraries and layers', () => {
  let tree: string;
  let found: Violation[];

  beforeAll(() => {
    tree = realpathSync(mkdtempSync(join(tmpdir(), 'itembank-borders-')));
    for (const file of [CONFIG, 'tsconfig.json']) cpSync(join(root, file), join(tree, file));
    build(tree, INNOCENT);
    build(tree, Object.fromEntries(Object.values(PLANTED)));
    build(tree, FURTHER);
    found = violationsIn(tree);
  });
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  it('are respected by this repository', () => {
    expect(violationsIn(root)).toEqual([]);
  });

  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the rules as the check reads them
  const { forbidden } = require(join(root, CONFIG)) as { forbidden: { name: string; severity: string }[] };

  it('are tested with a violation of every rule', () => {
    expect(Object.keys(PLANTED).sort()).toEqual(forbidden.map(({ name }) => name).sort());
  });

  it.each(Object.entries(PLANTED))('report a violation of the rule %s', (rule, [file]) => {
    // A cycle may be reported for any of its files.
    const culprits = rule === 'no-cycles' ? [file, ...Object.keys(FURTHER)] : [file];
    expect(found.some((each) => each.rule === rule && culprits.includes(each.from))).toBe(true);
    expect(forbidden.find(({ name }) => name === rule)?.severity).toBe('error');
  });

  it('report no file that respects them', () => {
    expect(found.filter(({ from }) => from in INNOCENT)).toEqual([]);
  });
});
