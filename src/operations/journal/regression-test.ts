import type { JournalFile } from './journal-file.ts';

/**
 * Source of a vitest test that folds a journal with the chart of its kind and expects the actor's
 * final state. Ignored and failed entries are left out, because they changed nothing.
 */
export function regressionTestOf({ actorId, kind, entries, rests }: JournalFile): string {
  const [start, ...steps] = entries.filter(({ outcome }) => outcome === 'started' || outcome === 'applied');
  const input = start === undefined || !('input' in start.event) ? {} : start.event.input;
  const events = steps.map(({ event, state }) => `  [${JSON.stringify(event)}, ${JSON.stringify(state)}],`);
  return `${importOf(`${kind}Machine, statePath`, 'quittance/machines')}
${importOf('expect, test', 'vitest')}
${importOf('initialTransition, transition', 'xstate')}

/** Every event that moved the actor, and the state it led to. */
const STEPS = [
${events.join('\n')}
] as const;

const RESTS = ${JSON.stringify(rests, null, 2)};

test(${JSON.stringify(`${kind} ${actorId} comes to rest in ${rests.state} as it did`)}, () => {
  let [snapshot] = initialTransition(${kind}Machine, ${JSON.stringify(input)} as never);
  for (const [event, state] of STEPS) {
    [snapshot] = transition(${kind}Machine, snapshot, event as never);
    expect(statePath(snapshot.value)).toBe(state);
  }
  expect(snapshot.status).toBe(RESTS.status);
  expect(JSON.parse(JSON.stringify(snapshot.context))).toEqual(RESTS.context);
});
`;
}

// Helpers

function importOf(names: string, from: string): string {
  return `import { ${names} } from '${from}';`;
}
