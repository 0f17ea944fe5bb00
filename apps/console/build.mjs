import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/**
 * Builds the console into a folder: `node apps/console/build.mjs dist/apps/console`. `index.html` is the console;
 * `frame.html` shows content of the bank, in a frame without rights.
 */
const root = fileURLToPath(new URL('.', import.meta.url));

await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  base: '/console/',
  resolve: {
    alias: [
      { find: /^#renderer$/, replacement: `${root}../../libs/renderer/src/index.ts` },
      { find: /^#renderer\//, replacement: `${root}../../libs/renderer/src/` },
    ],
  },
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: process.argv[2],
    emptyOutDir: true,
    target: 'es2022',
    // A strict content policy forbids fonts and pictures inside addresses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    rollupOptions: {
      input: [`${root}index.html`, `${root}frame.html`],
      // A first start prints what the build prints. These warnings appear only on a busy machine.
      checks: { bundlerTimings: false },
      // Libraries mark files for renderers on servers, of which there are none here.
      onLog: (level, log, handle) => log.code === 'MODULE_LEVEL_DIRECTIVE' || handle(level, log),
    },
  },
});
