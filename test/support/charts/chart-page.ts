import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';

/** Files of a page that contains only a chart: by path, with their content types. */
export type PageFiles = ReadonlyMap<string, { readonly contentType: string; readonly body: string }>;

const APP = fileURLToPath(new URL('../../../src/web', import.meta.url));

/**
 * Builds a page around the chart, as the console is built. The page provides `showChart(props)` and
 * stores what was selected in `picked`.
 */
export async function buildChartPage(): Promise<PageFiles> {
  const built = await build({
    root: APP,
    configFile: false,
    logLevel: 'error',
    plugins: [
      { name: 'page', resolveId: (id) => (id === ENTRY ? id : null), load: (id) => (id === ENTRY ? PROGRAM : null) },
    ],
    build: { write: false, minify: false, rolldownOptions: { input: ENTRY } },
  });
  const { output } = (Array.isArray(built) ? built[0] : built) as Rollup.RollupOutput;
  const files = new Map<string, { contentType: string; body: string }>();
  for (const file of output) {
    if (file.type === 'chunk') files.set('/page.js', { contentType: 'text/javascript', body: file.code });
    else if (file.fileName.endsWith('.css'))
      files.set('/page.css', { contentType: 'text/css', body: String(file.source) });
  }
  files.set('/', { contentType: 'text/html', body: PAGE });
  return files;
}

// Helpers

const ENTRY = 'chart-page';

const PROGRAM = `
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import '${APP}/styles/tokens.css';
import { ChartFigure } from '${APP}/chart/chart-figure.tsx';
const root = createRoot(document.getElementById('root'));
window.picked = [];
window.showChart = (props) => root.render(createElement(ChartFigure, {
  form: 'auto',
  onSelectState: (path) => window.picked.push('state:' + path),
  onSelectTransition: (id) => window.picked.push('event:' + id),
  ...props,
}));
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Chart</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<link rel="stylesheet" href="/ground.css">
</head>
<body><main id="root"></main><script type="module" src="/page.js"></script></body>
</html>`;
