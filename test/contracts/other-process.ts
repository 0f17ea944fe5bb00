import { Database } from '#platform';

/**
 * A second process on the database of a contract. It increments the counter KEY of the table `contract` TIMES times.
 */
async function main([url, key, times]: string[]): Promise<void> {
  const database = await Database.open(url!);
  for (let done = 0; done < Number(times); done++)
    await database.run(async () => {
      const { forUpdate } = database.dialect;
      const row = await database.row<{ n: number }>(`SELECT n FROM contract WHERE k = ? ${forUpdate}`, [key!]);
      await database.insert('contract', ['k'], [[`${key} ${row!.n}`]]);
      await database.write('UPDATE contract SET n = ? WHERE k = ?', [row!.n + 1, key!]);
    });
  await database.close();
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
