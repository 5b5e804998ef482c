import type { LiveChange, LiveListener } from '../../src/operations/index.ts';

/** Records what a live feed sends. */
export interface TestListener extends LiveListener {
  readonly changes: LiveChange[];
  position: string | null;
  reloads: number;
}

export function newListener(): TestListener {
  return {
    changes: [],
    position: null,
    reloads: 0,
    onChanges(changes, position) {
      this.changes.push(...changes);
      this.position = position;
    },
    onReload(position) {
      this.reloads += 1;
      this.position = position;
    },
    onPosition(position) {
      this.position = position;
    },
  };
}
