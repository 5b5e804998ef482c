import { readFile, stat } from 'node:fs/promises';
import { type FixedRatesSetting, parseFixedRates } from '../../platform/config/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import type { Quotes, RateSource } from '../source.ts';

/** Checking a file's metadata is cheap, so an edited file takes effect soon. */
const FILE_CHECK_INTERVAL_MS = 5_000;

/**
 * The operator's own rates. They do not age. A file is reloaded when its modification time, size or
 * inode changes; while it is missing or invalid, its last rates age like those of any other source.
 */
export function createFixedSource(setting: FixedRatesSetting): RateSource {
  const fetch = setting.kind === 'inline' ? async () => setting.rates : createFileReader(setting.path);
  return { name: 'fixed', kind: 'own', pollEveryMs: FILE_CHECK_INTERVAL_MS, fetch };
}

// Helpers

function createFileReader(path: string): () => Promise<Quotes> {
  let last: { readonly version: string; readonly rates: Quotes } | null = null;
  return async () => {
    const { mtimeMs, size, ino } = await stat(path);
    const version = `${mtimeMs} ${size} ${ino}`;
    if (last?.version === version) return last.rates;
    const parsed = parseFixedRates(await readFile(path, 'utf8'));
    if (!parsed.ok) throw new TerminalError('RATES_FILE_INVALID', `${path} ${parsed.problem}`);
    last = { version, rates: parsed.value };
    return parsed.value;
  };
}
