import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anEngine } from '../support/engines';
import { Importer, itemLine } from '../support/imports';
import { temporaryFolders } from '../support/processes';
import { startPrograms } from '../support/programs';

const folder = temporaryFolders();

describe.each(anEngine(__filename))('a service on %s whose folder for temporary files cannot be used', (engine) => {
  it('says so when it reads an uploaded file, and plans the import once it can', async () => {
    const TMPDIR = join(folder(), 'temporary');
    // No folder can be made in a file.
    writeFileSync(TMPDIR, '');
    const programs = await startPrograms(engine, 'in process', folder(), { TMPDIR });
    try {
      const importer = new Importer({ ...programs.behind, client: programs.client });
      const reference = await importer.start('bank.ndjson', JSON.stringify(itemLine('i')));
      await programs.api.hasLogged('job failed and will be tried again');
      expect(programs.api.stdout).toContain(
        '"message":"The folder for temporary files (TMPDIR) cannot be used: ENOTDIR; an operator has to look at it.',
      );
      rmSync(TMPDIR);
      mkdirSync(TMPDIR);
      const planned = await importer.settled(reference);
      expect([planned.status, planned.error]).toEqual(['planned', null]);
      expect(readdirSync(TMPDIR)).toEqual([]);
    } finally {
      await programs.end();
    }
  });
});
