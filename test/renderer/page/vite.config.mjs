import { defineConfig } from 'vite';

/** The page that tests of questions open, as files that a strict content policy lets run. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  logLevel: 'warn',
  build: {
    emptyOutDir: true,
    // Fonts as files: the policy forbids them in addresses.
    assetsInlineLimit: 0,
    target: 'es2022',
  },
});
