/** What packages may be, said here so that whoever adds one sees it. */

/** Licences that the service may be made with, as package-lock.json names them. All let it be given away under its own. */
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
  'Unlicense',
]);

/** Packages whose entry names no licence, with the one that their own file says. */
export const LICENCE_ELSEWHERE: Readonly<Record<string, string>> = {
  memorystream: 'MIT, in the file LICENSE of 0.3.1',
};

/** Packages that run a program when they are installed, and why that is borne. */
export const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  zeromq: 'takes a prebuilt library, or builds it, for the news of coin nodes; optional',
};
