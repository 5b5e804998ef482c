/**
 * Returns a negative number when `one` is older than `other`, 0 when they are equal, else a
 * positive number. A pre-release (`0.2.0-rc.1`) equals its release: it has the same schema. Throws
 * when one is not a version.
 */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

// Helpers

function numbersOf(version: string): readonly [number, number, number] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)(?:-[0-9A-Za-z.-]+)?$/.exec(version) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) {
    throw new Error(`"${version}" is not a version such as 1.2.3`);
  }
  return [Number(major), Number(minor), Number(patch)];
}
