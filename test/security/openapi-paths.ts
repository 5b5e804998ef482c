import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const FILE = resolve(import.meta.dirname, '../../generated/openapi.json');

/** The operations of the merchant API; `npm run check:openapi` keeps file and routes the same. */
export async function readOpenApi(): Promise<readonly { readonly method: string; readonly path: string }[]> {
  const { paths } = JSON.parse(await readFile(FILE, 'utf8')) as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((name) => METHODS.has(name))
      .map((method) => ({ method: method.toUpperCase(), path: path.startsWith('/v1') ? path : `/v1${path}` })),
  );
}

// Helpers

const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);
