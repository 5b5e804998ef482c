import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A built file as it is sent. */
export interface AppFile {
  readonly contentType: string;
  readonly content: Buffer;
  /** The same, shorter; null where that gains nothing. */
  readonly gzipped: Buffer | null;
  /** Its name changes with its content. */
  readonly isHashed: boolean;
  readonly etag: string;
}

/** What the build can make. A file of another kind is a mistake in it. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};
const LEAST_GZIPPED_BYTES = 1024;

/**
 * All files of the built pages by their path below `/console/`. They are a few and small, so they are held in memory: what is
 * not in this table does not exist, whatever a path says. Throws where the pages were not built.
 */
export function loadFiles(folder: string): ReadonlyMap<string, AppFile> {
  const files = new Map<string, AppFile>();
  for (const entry of listed(folder)) {
    const contentType = CONTENT_TYPES[extname(entry)];
    if (contentType !== undefined) files.set(entry, loaded(join(folder, entry), entry, contentType));
  }
  if (!files.has('index.html')) throw notBuilt(folder);
  return files;
}

// Helpers

function listed(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      );
  } catch (error) {
    throw notBuilt(folder, error);
  }
}

function loaded(path: string, name: string, contentType: string): AppFile {
  const content = readFileSync(path);
  return {
    contentType,
    content,
    gzipped: content.length < LEAST_GZIPPED_BYTES ? null : gzipSync(content),
    isHashed: name.startsWith('assets/'),
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
  };
}

function notBuilt(folder: string, cause?: unknown): Error {
  return new Error(`The console's pages are not in ${folder}: run npm run build`, { cause });
}
