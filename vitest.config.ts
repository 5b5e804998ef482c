import { configDefaults, defineConfig } from 'vitest/config';
import { BUILT_FILES, builtSources } from './test/support/run/built-sources.ts';
import { createClosingLineReporter } from './test/support/run/closing-line-reporter.ts';
import { FileOrder } from './test/support/run/file-order.ts';
import { FULL_FILES, readLevel } from './test/support/run/level.ts';

export default defineConfig({
  // Durations of the last run determine the file order; `npm ci` does not delete this folder.
  cacheDir: '.cache/vite',
  plugins: [builtSources()],
  test: {
    server: { deps: { external: [BUILT_FILES] } },
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(readLevel() === 'full' ? [] : [FULL_FILES])],
    globalSetup: ['test/support/run/global-setup.ts'],
    // Tests mostly wait for databases, nodes and browsers: four workers keep two processors busy.
    maxWorkers: 4,
    // Most test garbage is short-lived: with this much room the collector runs a tenth as often.
    // Parallel collection costs more than it saves, with several workers on few processors.
    execArgv: ['--max-semi-space-size=64', '--single-threaded-gc'],
    // Modules are loaded once per worker, and `perWorker` shares what is slow to start among its files.
    isolate: false,
    sequence: { sequencer: FileOrder },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A busy machine may take seconds to reach a polled state; the default of 1 s made tests flaky.
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', createClosingLineReporter()],
  },
});
