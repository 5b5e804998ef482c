import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Check } from '../../../src/cli/doctor/check.ts';
import { examine } from '../../../src/cli/doctor/examine.ts';
import { type Clock, systemClock } from '../../../src/platform/clock.ts';
import { type Environment, loadConfig } from '../../../src/platform/config/index.ts';
import type { SourceBaseUrls } from '../../../src/rates/index.ts';

/** Findings without their remedies, as `level check: text`. */
export async function look(
  checks: readonly Check[],
  env: Environment,
  more: { readonly clock?: Clock; readonly rateBaseUrls?: Partial<SourceBaseUrls>; readonly timeoutMs?: number } = {},
): Promise<string[]> {
  const found = await examine(checks, { config: loadConfig(env), clock: systemClock, ...more });
  return found.map(({ level, check, text }) => `${level} ${check}: ${text}`);
}

/** A new folder. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-doctor-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
