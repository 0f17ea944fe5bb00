import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceProcess, temporaryFolders } from '../support/processes';
import { expectPromised, perform, stepsOf } from './page';

const folder = temporaryFolders();
const steps = stepsOf(readFileSync(join(__dirname, '../../docs/assessing.md'), 'utf8'));

it('docs/assessing.md shows its commands in order', () => {
  const expectedCommands = [
    'sessions/templates',
    'sessions set',
    'sessions/responses',
    'sessions/scores',
    'itembank/questions set',
    'dry_run',
    'plan',
    'revert',
    'jobs/reports/datasets set',
    'curl -sf',
  ];
  expect(steps.map(({ command }) => command).join('')).toMatch(new RegExp(expectedCommands.join('[^]*')));
});

// Uses the demo bank, which only the quick start has.
describe('docs/assessing.md', () => {
  let service: ServiceProcess | undefined;
  // An unusual data folder, because the page must not name the usual one.
  const reader = { cwd: folder(), settings: { DATA_DIR: join(folder(), 'of mine') } };
  beforeAll(async () => {
    service = await ServiceProcess.listening(reader);
  });
  afterAll(() => service?.end('SIGKILL'));

  it('answers every command as the page shows', async () => {
    const outcomes = await perform(steps, reader);
    for (const [index, outcome] of outcomes.entries()) expectPromised(steps[index]!, outcome);
    expect(outcomes).toHaveLength(steps.length);
  }, 660_000);
});
