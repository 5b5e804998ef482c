import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What releases have frozen, by path: the first 16 hexadecimal digits of each file's SHA-256. */
export interface Released {
  /** The newest release; null before the first. */
  readonly version: string | null;
  readonly goldens: Readonly<Record<string, string>>;
  readonly migrations: Readonly<Record<string, string>>;
}

const FOLDERS = { goldens: 'test/machines/golden', migrations: 'src/platform/db/migrations' } as const;
/** Of the repository; this file always runs from `dist`. */
const ROOT = join(import.meta.dirname, '../../..');

/** Reads what `npm run release` last wrote; the file is not edited by hand. */
export function readReleased(): Released {
  return JSON.parse(readFileSync(join(ROOT, 'test/released.json'), 'utf8')) as Released;
}

/** The same fingerprints of the current files. */
export function fingerprintsOf(what: keyof typeof FOLDERS, root = ROOT): Record<string, string> {
  const folder = join(root, FOLDERS[what]);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.(json|ts)$/.test(name) && !name.endsWith('.test.ts')).sort();
  return Object.fromEntries(files.map((name) => [name, fingerprint(readFileSync(join(folder, name)))]));
}

// Helpers

function fingerprint(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}
