import 'reflect-metadata';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { derivedFiles } from './derived-files';

/* Writes the derived files of the repository. With --check: only reports which are out of date. */

for (const { path, text } of derivedFiles()) {
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    process.stderr.write(`${path} is out of date; run npm run derive.\n`);
    process.exitCode = 1;
  }
}
