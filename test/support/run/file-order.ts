import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isFullFile } from './level.ts';

/** Assumed duration of a file without a recorded one, as in the first run of a checkout. */
const UNKNOWN_MS = { long: 8_000, other: 1_200 };
/** Files that start services, or send thousands of requests. */
const LONG_FILES = /\/test\/(?:e2e\/|fuzz\/|contract\/endpoints)/;
/** What files that use a browser import. */
const OPENS_PAGES = /\b(?:startBrowser|describeConsolePages)\b/;
/** Share of the total duration that counts as long files. */
const LONG_SHARE = 0.5;
/** Seconds of short files per second of long ones; below one, so that no long file starts last. */
const SHORT_PER_LONG = 0.9;

/**
 * Spreads long files over the run, because they mostly wait while short ones use the CPU: the
 * processors are neither idle nor overloaded. Within both groups the longest go first, by the
 * durations that Vitest recorded in the last run.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return spread(await super.sort(files), (file) => this.#durationOf(file));
  }

  #durationOf(file: TestSpecification): number {
    const key = `${file.project.name}:${relative(this.ctx.config.root, file.moduleId)}`;
    return this.ctx.cache.getFileTestResults(key)?.duration || UNKNOWN_MS[isLong(file) ? 'long' : 'other'];
  }
}

/** Interleaves long and short items; within both groups the longest come first. */
export function spread<T>(items: readonly T[], durationOf: (item: T) => number): T[] {
  const timed = items.map((item) => ({ item, ms: durationOf(item) }));
  timed.sort((one, other) => other.ms - one.ms);
  const total = timed.reduce((sum, { ms }) => sum + ms, 0);
  const short = [...timed];
  const long = [];
  for (let sum = 0; sum < total * LONG_SHARE; sum += long.at(-1)?.ms ?? total) long.push(...short.splice(0, 1));

  const ordered: T[] = [];
  for (let lead = 0; long.length > 0 || short.length > 0; ) {
    const isLong = short.length === 0 || (long.length > 0 && lead <= 0);
    const { item, ms } = (isLong ? long : short).shift() as (typeof timed)[number];
    lead += isLong ? ms * SHORT_PER_LONG : -ms;
    ordered.push(item);
  }
  return ordered;
}

// Helpers

function isLong({ moduleId }: TestSpecification): boolean {
  return isFullFile(moduleId) || LONG_FILES.test(moduleId) || OPENS_PAGES.test(readFileSync(moduleId, 'utf8'));
}
