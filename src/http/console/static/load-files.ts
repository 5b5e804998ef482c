import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface AppFile {
  readonly contentType: string;
  readonly content: Buffer;
  /** Compressed content; null when compression saves nothing. */
  readonly gzipped: Buffer | null;
  /** Its name contains a content hash. */
  readonly isHashed: boolean;
  readonly etag: string;
}

/** The file types of the build. Any other type is an error in the build. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
};
const MIN_GZIPPED_BYTES = 1024;

/**
 * All files of the built pages by their path below `/console/`. They are few and small, so they are
 * held in memory; a path that is not in this table does not exist, which rules out path traversal.
 * Throws when the pages were not built.
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
    gzipped: content.length < MIN_GZIPPED_BYTES ? null : gzipSync(content),
    isHashed: name.startsWith('assets/'),
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
  };
}

function notBuilt(folder: string, cause?: unknown): Error {
  return new Error(`The console's pages are not in ${folder}: run npm run build`, { cause });
}
