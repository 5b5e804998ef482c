import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChartLayout } from '../../../src/http/console/contract/charts.ts';
import { createLayoutOf, type LayoutOf } from '../../../src/http/console/layout/layout-of.ts';
import { projectFolder } from '../../../src/http/console/static/folders.ts';
import { KEPT_FOLDER } from '../run/kept-folder.ts';
import { makeOnce } from '../run/make-once.ts';
import { perWorker } from '../run/per-worker.ts';

const ROOT = projectFolder();
/** Besides the chart, everything that a layout depends on. */
const SOURCES = ['src/http/console/layout', 'src/http/console/text-measurement'];
const ELK = 'node_modules/elkjs/package.json';

/**
 * Layout of a chart. Computing one takes seconds, so layouts are cached between runs, under a name
 * derived from the chart, the sources and the version of ELK. `test/http/console/layout.test.ts`
 * compares them with newly computed ones.
 */
export const sharedLayoutOf: LayoutOf = async (chart) => {
  const { layoutOf, fingerprint } = await perWorker('chart layouts', async () => ({
    layoutOf: createLayoutOf(),
    fingerprint: await sourcesFingerprint(),
  }));
  const path = join(KEPT_FOLDER, `layout-${chart.kind}-${hashOf([fingerprint, JSON.stringify(chart)])}.json`);
  await mkdir(KEPT_FOLDER, { recursive: true });
  await makeOnce(path, async () => {
    const own = `${path}.${process.pid}`;
    await writeFile(own, JSON.stringify(await layoutOf(chart)));
    await rename(own, path);
  });
  return JSON.parse(await readFile(path, 'utf8')) as ChartLayout;
};

// Helpers

async function sourcesFingerprint(): Promise<string> {
  const folders = SOURCES.map((folder) => join(ROOT, folder));
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).sort().map((name) => join(folder, name))),
  );
  return hashOf(await Promise.all([...files.flat(), join(ROOT, ELK)].map((path) => readFile(path, 'utf8'))));
}

function hashOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);
}
