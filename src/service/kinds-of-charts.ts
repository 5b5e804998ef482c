import type { ActorKind } from '../platform/engine/index.ts';

/**
 * The kind of each chart, in the order of the charts. Throws when a chart has no kind or a kind has
 * no chart. Otherwise a version that is kept but not run, or run without golden journals, would
 * only be noticed through its actors.
 */
export function kindsOfCharts(
  charts: readonly ActorKind['machine'][],
  kinds: readonly ActorKind[],
): readonly ActorKind[] {
  const unlisted = kinds.find(({ machine }) => !charts.includes(machine));
  if (unlisted !== undefined) {
    throw new Error(
      `Version ${unlisted.version} of the chart "${unlisted.name}" is not in machines/versions.ts: add it`,
    );
  }
  return charts.map((chart) => {
    const kind = kinds.find(({ machine }) => machine === chart);
    if (kind !== undefined) return kind;
    throw new Error(`Version ${chart.version} of the chart "${chart.id}" has no kind: add one to createKinds`);
  });
}
