import { checkFolder } from './check';

/**
 * Scores the example questions of a folder and prints the results: `node -r ./test/support/ts.cjs
 * test/scoring/examples/main.ts FOLDER`
 */
const folder = process.argv[2];
if (folder === undefined) {
  console.error('Usage: node -r ./test/support/ts.cjs test/scoring/examples/main.ts FOLDER');
  process.exitCode = 2;
} else {
  const { lines, checked, failed } = checkFolder(folder);
  for (const line of lines) console.log(line);
  console.log(`${checked} questions checked, ${failed} failed`);
  process.exitCode = failed > 0 || checked === 0 ? 1 : 0;
}
