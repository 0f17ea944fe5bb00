import { copyFileSync } from 'node:fs';
import { build } from 'vite';
import { fileURLToPath } from 'node:url';

/**
 * Builds the player into a folder: `node apps/player/build.mjs dist/apps/player`. `items.js` is a plain script, as pages load it;
 * all else are modules with the hash of their content in their names, loaded when they are needed.
 */
const root = fileURLToPath(new URL('.', import.meta.url));
const outDir = process.argv[2];
/** Removes what a browser does not need from our own files: indentation and comments in templates, and blanks in style sheets. */
const trimmed = {
  name: 'trimmed',
  enforce: 'pre',
  transform: (code, id) => {
    if (id.includes('node_modules')) return undefined;
    const lines = code.replace(/\n\s*\/\*[^]*?\*\/(?=\n)/g, '').replace(/\n\s+/g, '\n');
    return id.endsWith('style.ts') ? lines.replace(/(?<=[:;,{}])\s+|\s+(?=[{}])/g, '') : lines;
  },
};
const common = {
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  plugins: [trimmed],
  resolve: { alias: { '#renderer': `${root}../../libs/renderer/src/index.ts` } },
};

/** The modules that every page needs beside `app`. In one file, they compress better than in many. */
const BASE = new RegExp(
  [
    'node_modules/(?:@?lit|dompurify)',
    'player/src/(?:members|delivery/port|page/errors|shell/(?:dialogs|durations|panels|shell|style))\\.',
    'renderer/src/(?:question(?:-element)?\\.|review|style|members|numerals|(?:features/)?registry)',
    'renderer/src/(?:content/(?:markup|sanitise|set-styles)|interactions/(?:announce|choosing))',
  ].join('|'),
);

/** A first start prints what the build prints. These warnings appear only on a busy machine. */
const checks = { bundlerTimings: false };

const { output } = await build({
  ...common,
  base: './',
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    // A strict content policy forbids fonts and pictures inside addresses.
    assetsInlineLimit: 0,
    // The field for formulas, which is loaded only when a question needs it.
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      input: `${root}src/app.ts`,
      checks,
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: 'app-[hash].js',
        codeSplitting: { groups: [{ name: 'base', test: BASE }] },
      },
    },
  },
});
const app = output.find((chunk) => chunk.type === 'chunk' && chunk.isEntry);

// A page that is opened from a folder: one script with all types and fonts.
await build({
  ...common,
  build: {
    outDir: `${outDir}/offline`,
    emptyOutDir: false,
    target: 'es2022',
    assetsInlineLimit: Infinity,
    rollupOptions: { checks },
    lib: {
      entry: `${root}src/offline/main.ts`,
      formats: ['iife'],
      name: 'ItembankOfflinePage',
      fileName: () => 'offline.js',
    },
  },
});
copyFileSync(`${root}src/offline/index.html`, `${outDir}/offline/index.html`);

await build({
  ...common,
  define: { __APP_FILE__: JSON.stringify(app.fileName) },
  build: {
    outDir,
    emptyOutDir: false,
    target: 'es2022',
    rollupOptions: { checks },
    lib: { entry: `${root}src/page/items.ts`, formats: ['iife'], name: 'ItembankPage', fileName: () => 'items.js' },
  },
});
