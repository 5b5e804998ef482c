import { readFile } from 'node:fs/promises';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ChartPicture } from '../../../src/console/app/chart/picture.tsx';
import { createLayoutOf } from '../../../src/console/layout/index.ts';
import { REAL_CHARTS } from './real-charts.ts';

/**
 * The pictures of the documentation. Must run in the root of the repository, because the
 * stylesheets are not built.
 */
export async function drawPictures(): Promise<{ kind: string; svg: string }[]> {
  const css = await readFile('src/console/app/chart/chart.css', 'utf8');
  const layoutOf = createLayoutOf();
  return Promise.all(
    REAL_CHARTS.map(async (chart) => {
      const layout = await layoutOf(chart);
      return {
        kind: chart.kind,
        svg: `${renderToStaticMarkup(createElement(ChartPicture, { chart, layout, css }))}\n`,
      };
    }),
  );
}
