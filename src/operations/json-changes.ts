import { isDeepStrictEqual } from 'node:util';
import type { Change } from './types.ts';

/**
 * What differs between two JSON values, as JSON Pointers (RFC 6901) to the outermost places that are not the same kind of thing.
 * Arrays are compared place by place. The whole value is the pointer ''.
 */
export function changesBetween(before: unknown, after: unknown): Change[] {
  return [...walk('', before, after)];
}

// Helpers

function* walk(path: string, before: unknown, after: unknown): Generator<Change> {
  if (isDeepStrictEqual(before, after)) return;
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    yield { path, before, after };
    return;
  }
  // In an order of their own: a database gives an object's members back in another one than they came in.
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const keys = Array.isArray(after) ? names : names.sort();
  for (const key of keys) {
    const inner = `${path}/${escapeToken(key)}`;
    if (!has(after, key)) yield { path: inner, before: before[key] };
    else if (!has(before, key)) yield { path: inner, after: after[key] };
    else yield* walk(inner, before[key], after[key]);
  }
}

type Container = Readonly<Record<string, unknown>>;

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/** What JSON would leave out is not there. */
function has(container: Container, key: string): boolean {
  return Object.hasOwn(container, key) && container[key] !== undefined;
}

/** RFC 6901, 3: the tilde first, or the slash's own tilde would be escaped again. */
function escapeToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
