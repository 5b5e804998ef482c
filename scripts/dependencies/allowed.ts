/** What packages may do. Adding a package may require an entry in these tables. */

/**
 * Licences that dependencies may have, as package-lock.json names them. All allow distribution
 * under the service's own licence.
 */
export const ALLOWED_LICENCES: ReadonlySet<string> = new Set([
  '(MIT AND Zlib)',
  '(MIT OR Apache-2.0)',
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'EPL-2.0 OR GPL-3.0-or-later',
  'ISC',
  'MIT',
  'MIT AND MPL-2.0',
  'MIT OR Apache-2.0',
  'MIT-0',
  'MPL-2.0',
  // For a typeface: it may be shipped with any program, but not sold on its own.
  'OFL-1.1',
  'Unlicense',
]);

/** Packages whose lockfile entry names no licence, with the licence in their own file. */
export const LICENCE_ELSEWHERE: Readonly<Record<string, string>> = {
  memorystream: 'MIT, in the file LICENSE of 0.3.1',
};

/** Packages that run a script on install, and why that is accepted. */
export const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  zeromq: 'downloads or builds a native library, for notifications of coin nodes; optional',
};
