import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { drawPictures } from './draw-pictures.ts';

/**
 * `npm run charts` draws the service's charts into `docs/charts` with the component that the
 * console uses; with `--check` it only compares. Runs in the root of the repository, where npm
 * starts it.
 */
const FOLDER = 'docs/charts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
await mkdir(FOLDER, { recursive: true });
for (const { kind, svg } of await drawPictures()) {
  const target = `${FOLDER}/${kind}.svg`;
  if (!values.check) {
    await writeFile(target, svg);
    console.log(`${target} written`);
  } else if ((await readFile(target, 'utf8').catch(() => null)) === svg) {
    console.log(`${target} agrees with its chart`);
  } else {
    console.error(`${target} does not agree with its chart any more. Run: npm run charts`);
    process.exitCode = 1;
  }
}
