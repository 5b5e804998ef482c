import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { compile } from '../support/run/compiled.ts';

const ROOT = resolve(import.meta.dirname, '../..');

export interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** The tarball that `npm pack` makes. Compiles first, as the scripts of `npm pack` would. */
export function pack(args: readonly string[]): Packed {
  compile('src/main.ts');
  const { stdout, stderr } = spawnSync('npm', ['pack', '--json', '--ignore-scripts', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const [packed] = JSON.parse(stdout) as readonly Packed[];
  if (packed === undefined) throw new Error(`npm pack made nothing: ${stderr}`);
  return packed;
}
