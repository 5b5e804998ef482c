import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

/** A generated file: its path from the root of the repository, and the text it should have. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes generated files; when the script was called with `--check`, only compares them, and exits
 * 1 when one is out of date. `command` is the one that writes them. Runs in the root of the
 * repository, where npm starts it.
 */
export async function writeOrCheck(command: string, files: readonly GeneratedFile[]): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  for (const { path, text } of files) {
    if (!values.check) {
      await writeFile(path, text);
      console.log(`${path} written`);
    } else if ((await readFile(path, 'utf8').catch(() => null)) === text) {
      console.log(`${path} is up to date`);
    } else {
      console.error(`${path} is out of date. Run: ${command}`);
      process.exitCode = 1;
    }
  }
}
