import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '#platform';
import { engines } from '../support/engines';
import { migratedDatabase } from '../support/migrated-database';
import { temporaryFolders } from '../support/processes';
import { changedTables, contentOf } from './content';

const temporaryFolder = temporaryFolders();

describe.each(engines)('comparing all content on %s', (engine) => {
  it('names the tables that changed, and ignores when people were last seen', async () => {
    const empty = await migratedDatabase(engine);
    const database = await Database.open(empty.url);
    const folder = temporaryFolder();
    let before = await contentOf(database, folder);
    const changedBy = async (work: () => Promise<unknown>) => {
      await work();
      const after = await contentOf(database, folder);
      const changed = changedTables(before, after);
      before = after;
      return changed;
    };
    try {
      const columns = ['hash', 'person_id', 'browser', 'created_at', 'seen_at', 'confirmed_at'];
      const row = ['0'.repeat(64), '0'.repeat(26), 'Browser', 1, 1, 1];
      expect(await changedBy(async () => undefined)).toBe('');
      expect(await changedBy(() => database.insert('sign_in', columns, [row]))).toBe('sign_in');
      expect(await changedBy(() => database.write('UPDATE sign_in SET seen_at = 2'))).toBe('');
      expect(await changedBy(() => database.write('UPDATE sign_in SET confirmed_at = 2'))).toBe('sign_in');
      expect(
        await changedBy(() =>
          database.insert('organisation', ['id', 'name', 'settings', 'created_at'], [[77, 'A', '{}', 1]]),
        ),
      ).toBe('organisation');
      expect(await changedBy(() => writeFile(join(folder, 'a'), 'text'))).toBe('files');
    } finally {
      await database.close();
      await empty.drop();
    }
  });
});
