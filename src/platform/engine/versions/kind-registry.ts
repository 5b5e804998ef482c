import { RetryableError, TerminalError } from '../../errors.ts';
import { durabilityProblems } from '../durability.ts';
import type { ActorKind } from '../types.ts';

export interface KindRegistry {
  /**
   * Returns the chart with this name: the requested version if registered, else the current one.
   * Throws `TerminalError` `CHART_UNKNOWN` for an unknown name, and `RetryableError`
   * `CHART_TOO_NEW` when the requested version is newer than all registered ones: another process
   * has it, or this one will after its upgrade.
   */
  get(name: string, version?: string): ActorKind;
  /** The current version of every chart. */
  list(): readonly ActorKind[];
  /**
   * All versions of this chart in registration order: the last is the current one. Empty for an
   * unknown name.
   */
  versions(name: string): readonly ActorKind[];
}

/**
 * Registers charts. Of several versions of a chart, the last given is the current one, which new
 * actors run; the others serve the actors started under them. Throws `TerminalError`
 * `CHART_NOT_DURABLE` or `CHART_TWICE`.
 */
export function createKindRegistry(kinds: readonly ActorKind[]): KindRegistry {
  const current = new Map<string, ActorKind>();
  const byVersion = new Map<string, ActorKind>();
  for (const kind of kinds) {
    const problems = durabilityProblems(kind);
    if (problems.length > 0) {
      const message = `The chart "${kind.name}" cannot run durably: ${problems.join('; ')}`;
      throw new TerminalError('CHART_NOT_DURABLE', message);
    }
    const key = `${kind.name} ${kind.version}`;
    if (byVersion.has(key)) {
      throw new TerminalError('CHART_TWICE', `Two charts are named "${kind.name}" in version "${kind.version}"`);
    }
    byVersion.set(key, kind);
    current.set(kind.name, kind);
  }
  return {
    get(name, version) {
      const kind = byVersion.get(`${name} ${version}`) ?? current.get(name);
      if (kind !== undefined && isNewer(version, kind.version)) {
        const known = `this process knows versions up to ${kind.version} of "${name}"`;
        throw new RetryableError('CHART_TOO_NEW', `The actor runs version ${version}, and ${known}: upgrade it`);
      }
      if (kind !== undefined) return kind;
      throw new TerminalError('CHART_UNKNOWN', `No chart named "${name}" is registered in this process`);
    },
    list: () => [...current.values()],
    versions: (name) => [...byVersion.values()].filter((kind) => kind.name === name),
  };
}

// Helpers

/** Versions are whole numbers; any other version has no order and is not newer. */
function isNewer(version: string | undefined, current: string): boolean {
  return version !== undefined && Number(version) > Number(current);
}
