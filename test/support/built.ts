import { execFileSync } from 'node:child_process';

/** Builds the programs and the player unless they are built, because pages and packages are read from `dist`. */
export function ensureBuilt(): void {
  execFileSync(process.execPath, ['-e', "require('./tools/build.cjs').buildIfChanged()"]);
}
