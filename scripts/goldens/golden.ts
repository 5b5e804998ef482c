import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AnyStateMachine, initialTransition, transition } from 'xstate';
import { CHART_VERSIONS, statePath } from '../../machines/index.ts';

/**
 * A recorded history that must always fold to the same end with the same effects. The events are
 * those that the engine passed to the chart: the journal without the engine's own entries.
 */
export interface Golden {
  readonly what: string;
  readonly machine: string;
  readonly version: string;
  readonly input: unknown;
  readonly events: readonly { readonly type: string }[];
  readonly effects: readonly { readonly type: string; readonly params: unknown }[];
  readonly end: { readonly state: string; readonly status: string; readonly context: unknown };
}

export type Story = Pick<Golden, 'what' | 'input' | 'events'>;

/** `test/machines/golden/` of the repository; this file always runs from `dist`. */
export const GOLDEN_FOLDER = new URL('../../../test/machines/golden/', import.meta.url);

/** Folds a story with a chart. */
export function fold(machine: AnyStateMachine, { input, events }: Story): Pick<Golden, 'effects' | 'end'> {
  let [snapshot, actions] = initialTransition(machine, input);
  const requested = [...actions];
  for (const event of events) {
    [snapshot, actions] = transition(machine, snapshot, event);
    requested.push(...actions);
  }
  const effects = requested.map(({ type, params }: { type: string; params?: unknown }) => ({ type, params }));
  const end = { state: statePath(snapshot.value), status: snapshot.status, context: snapshot.context };
  return JSON.parse(JSON.stringify({ effects, end })) as Pick<Golden, 'effects' | 'end'>;
}

/** `transaction/1`: the folder of a chart's golden journals. */
export function folderOf({ id, version }: AnyStateMachine): string {
  return `${id}/${version}`;
}

/** Names of the golden journals of a chart; empty when it has none. */
export function goldensOf(machine: AnyStateMachine): string[] {
  try {
    return readdirSync(new URL(`${folderOf(machine)}/`, GOLDEN_FOLDER)).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

export function readGolden(machine: AnyStateMachine, name: string): Golden {
  return JSON.parse(readFileSync(new URL(`${folderOf(machine)}/${name}`, GOLDEN_FOLDER), 'utf8')) as Golden;
}

/** Golden folders that belong to no registered chart. */
export function unregisteredFolders(): string[] {
  const kept = new Set(CHART_VERSIONS.map(folderOf));
  const folders = readdirSync(fileURLToPath(GOLDEN_FOLDER), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(new URL(`${name}/`, GOLDEN_FOLDER)).map((version) => `${name}/${version}`));
  return folders.filter((folder) => !kept.has(folder));
}
