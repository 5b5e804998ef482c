import { defineConfig } from 'vitest/config';
import { createClosingLineReporter } from './test/support/closing-line-reporter.ts';
import { LongestFirst } from './test/support/longest-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Tests wait for databases, nodes and browsers more than they compute: three keep two processors busy, and leave what
    // they wait for its share.
    maxWorkers: 3,
    // Modules of ours are loaded anew for every file, those of packages once per worker: half the time of loading.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', createClosingLineReporter()],
  },
});
