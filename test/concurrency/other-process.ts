import { Database, migrate } from '#platform';

/** Migrates the database at URL and prints the names of the migrations. */
async function main(url: string): Promise<void> {
  const database = await Database.open(url);
  console.log(JSON.stringify(await migrate(database)));
  await database.close();
}

main(process.argv[2]!).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
