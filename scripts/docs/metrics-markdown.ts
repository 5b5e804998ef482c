import { Registry } from 'prom-client';
import { createMetrics, type Metrics } from '../../src/monitoring/index.ts';

/**
 * All metrics as a Markdown table, sorted by name, without those that every Node.js process has.
 */
export function metricsMarkdown(): string {
  const registry = new Registry();
  createMetrics(registry).read(UNREAD);
  const own = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('quittance_'));
  const rows = own
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((metric) => {
      const labels = labelsOf(metric).map((label) => `\`${label}\``);
      // The library's enum is a string at run time.
      return `| \`${metric.name}\` | ${metric.type} | ${labels.join(', ')} | ${metric.help.replaceAll('|', '\\|')} |`;
    });
  return ['| Metric | Type | Labels | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

// Helpers

/** Descriptions are known before any value is read. */
const UNREAD: Parameters<Metrics['read']>[0] = {
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

/** The library keeps them, but they are missing from its types. */
function labelsOf(metric: object): readonly string[] {
  return 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [];
}
