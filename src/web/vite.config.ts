import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The service that the Vite development server proxies to. */
const SERVICE_URL = 'http://127.0.0.1:8080';

/**
 * Code shared by this many pages is one file: with a separate file for each part, a first load has
 * three times as many requests, and 2 KB more.
 */
const SHARED_FROM = 5;
/** `api/entry.ts` is for pages without a session only, `api/operator.ts` for operators only. */
const SHARED = /\/src\/web\/(ui|state|routing|api)\/(?!entry\.|operator\.)/;

/**
 * The build of the pages. Each page is loaded when it is first shown (`shell/pages.tsx`). Every
 * file is separate and hashed, because the Content Security Policy allows nothing inline.
 */
// oxlint-disable-next-line import/no-default-export -- that is where Vite looks
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('../../dist/console', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // The first browsers with light-dark(), all of May 2024 or earlier.
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'shared', test: SHARED, minShareCount: SHARED_FROM }],
        },
      },
    },
    chunkSizeWarningLimit: 1_000,
  },
  server: { proxy: { '/console/api': SERVICE_URL, '/images': SERVICE_URL } },
});
