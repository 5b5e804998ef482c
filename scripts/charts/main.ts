import { readFile } from 'node:fs/promises';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createLayoutOf } from '../../src/http/console/layout/layout-of.ts';
import { ChartPicture } from '../../src/web/chart/picture.tsx';
import { type GeneratedFile, writeOrCheck } from '../write-or-check.ts';
import { REAL_CHARTS } from './real-charts.ts';

/**
 * `npm run charts` draws the service's charts into `docs/contributors/charts` with the component
 * that the console uses; with `--check` it only compares.
 */
await writeOrCheck('npm run charts', await drawPictures());

// Helpers

async function drawPictures(): Promise<GeneratedFile[]> {
  const css = await readFile('src/web/chart/chart.css', 'utf8');
  const layoutOf = createLayoutOf();
  return Promise.all(
    REAL_CHARTS.map(async (chart) => {
      const picture = createElement(ChartPicture, { chart, layout: await layoutOf(chart), css });
      return { path: `docs/contributors/charts/${chart.kind}.svg`, text: `${renderToStaticMarkup(picture)}\n` };
    }),
  );
}
