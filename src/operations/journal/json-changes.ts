import { isDeepStrictEqual } from 'node:util';
import type { JsonChange } from '../types.ts';

/**
 * The differences between two JSON values, by JSON Pointer (RFC 6901). Objects are compared
 * by member and arrays by index; other values that differ are reported as a whole. The
 * pointer of the whole value is ''.
 */
export function changesBetween(before: unknown, after: unknown): JsonChange[] {
  return [...walk('', before, after)];
}

// Helpers

function* walk(path: string, before: unknown, after: unknown): Generator<JsonChange> {
  if (isDeepStrictEqual(before, after)) return;
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    yield { path, before, after };
    return;
  }
  // Sorted, because a database may return an object's members in a different order.
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

/** A member that JSON would omit does not exist. */
function has(container: Container, key: string): boolean {
  return Object.hasOwn(container, key) && container[key] !== undefined;
}

/** RFC 6901, 3: escape the tilde first, or the tilde of an escaped slash would be escaped again. */
function escapeToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
