import { Database, migrate } from '#platform';

/** A process that brings the database at URL up to date and prints what it ran. */
async function main(url: string): Promise<void> {
  const database = await Database.open(url);
  console.log(JSON.stringify(await migrate(database)));
  await database.close();
}

main(process.argv[2]!).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
