import { startService } from '../support/service';
import { checkFolder } from './check';

/**
 * Starts a service, writes the examples of a folder to it, and reports what reads return:
 *
 * node -r ./test/support/ts.cjs test/examples/main.ts FOLDER
 */
async function main(folder: string | undefined): Promise<number> {
  if (folder === undefined) {
    console.error('Usage: node -r ./test/support/ts.cjs test/examples/main.ts FOLDER');
    return 2;
  }
  const service = await startService('sqlite');
  try {
    const { lines, written, skipped, failed } = await checkFolder(folder, service.client);
    for (const line of lines) console.log(line);
    console.log(`${written} examples written and read back, ${skipped} skipped, ${failed} failed`);
    return failed > 0 || written === 0 ? 1 : 0;
  } finally {
    await service.close();
  }
}

main(process.argv[2]).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof Error && 'code' in error ? error.message : error);
    process.exitCode = 2;
  },
);
