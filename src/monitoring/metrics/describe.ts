import { createMetrics, type MetricSources } from './create-metrics.ts';

/**
 * All metrics as a Markdown table, sorted by name, without those that every Node.js process has.
 */
export function metricsMarkdown(): string {
  const metrics = createMetrics();
  metrics.read(UNREAD);
  const own = metrics.describe().filter(({ name }) => name.startsWith('quittance_'));
  const rows = own
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, type, labels, help }) => {
      const shown = labels.map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${shown} | ${help.replaceAll('|', '\\|')} |`;
    });
  return ['| Metric | Type | Labels | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

// Helpers

/** Descriptions are known before any value is read. */
const UNREAD: MetricSources = {
  version: '',
  roles: [],
  isReady: unread,
  rates: { forMode: unread, status: unread },
  clock: { now: unread },
  engineLoad: unread,
  poolUse: unread,
  busResponds: unread,
  readFigures: unread,
};

function unread(): never {
  throw new Error('a description reads nothing');
}
