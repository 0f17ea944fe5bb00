import { anEngine } from './engines';
import { serviceOfSuite, startService } from './service';
import { stateOf } from './state';

describe.each(anEngine(__filename))('the state of a database on %s', (engine) => {
  const service = serviceOfSuite(() => startService(engine));

  it('stays the same without writes, and changes with each write', async () => {
    const { database } = service;
    const tag = (version: number) =>
      database.write(
        version === 0
          ? 'INSERT INTO tag_version (organisation_id, version) VALUES (7, 0)'
          : `UPDATE tag_version SET version = ${version} WHERE organisation_id = 7`,
      );
    const seen = [await stateOf(database)];
    expect(await stateOf(database)).toBe(seen[0]);
    for (const write of [() => tag(0), () => tag(1), () => tag(2)]) {
      await write();
      seen.push(await stateOf(database));
    }
    const long = 'x'.repeat(100_000);
    for (const definition of [`${long}a`, `${long}b`]) {
      await database.run(async () => {
        await database.write('DELETE FROM form WHERE organisation_id = 7');
        await database.insert('form', ['organisation_id', 'id', 'definition'], [[7, 'F'.repeat(26), definition]]);
      });
      seen.push(await stateOf(database));
    }
    expect(new Set(seen).size).toBe(seen.length);
  });
});
