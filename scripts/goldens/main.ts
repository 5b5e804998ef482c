import { mkdirSync, writeFileSync } from 'node:fs';
import { initialTransition, transition } from 'xstate';
import { CHART_VERSIONS } from '../../machines/index.ts';
import { fold, folderOf, GOLDEN_FOLDER, type Golden, goldensOf, type Story } from './golden.ts';
import { PLOTS, type Plot } from './stories.ts';

/**
 * `npm run goldens` records the stories of `stories.ts` that have no golden journal yet, each with
 * the newest version of its chart. It never overwrites a recorded journal: that would defeat its
 * purpose.
 */
for (const [id, plots] of Object.entries(PLOTS)) {
  const machine = CHART_VERSIONS.findLast((each) => each.id === id);
  if (machine === undefined) throw new Error(`there is no chart "${id}"`);
  const folder = new URL(`${folderOf(machine)}/`, GOLDEN_FOLDER);
  mkdirSync(folder, { recursive: true });
  const present = new Set(goldensOf(machine));
  for (const [name, plot] of Object.entries(plots)) {
    if (present.has(`${name}.json`)) continue;
    const story = live(machine, plot);
    const golden: Golden = { ...story, machine: id, version: machine.version ?? '', ...fold(machine, story) };
    const { what, input, events, effects, end, version } = golden;
    const ordered = { what, machine: id, version, input, events, effects, end };
    writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(ordered, null, 2)}\n`);
    console.log(`${folderOf(machine)}/${name}.json: ends in ${end.state} after ${events.length} events`);
  }
}

// Helpers

/** Plays a plot: timers fire at the times the chart has set, in order. */
function live(machine: (typeof CHART_VERSIONS)[number], { what, input, happenings }: Plot): Story {
  const timers = new Map<string, number>();
  const events: { type: string; at: number }[] = [];
  let now = (input as { createdAt: number }).createdAt;
  let [snapshot, actions] = initialTransition(machine, input);
  setTimers();
  for (const happening of happenings) {
    if (snapshot.status !== 'active') break;
    let event: { type: string; at: number; dueAt?: number };
    if (happening === 'timer') {
      const [next] = [...timers].toSorted(([, one], [, other]) => one - other);
      if (next === undefined) break;
      const [name, dueAt] = next;
      timers.delete(name);
      now = Math.max(now, dueAt);
      event = { type: `timer.${name}`, at: now, dueAt };
    } else {
      now += happening.afterMs;
      event = { ...happening.event, at: now };
    }
    events.push(event);
    [snapshot, actions] = transition(machine, snapshot, event);
    setTimers();
  }
  return { what, input, events };

  function setTimers(): void {
    for (const { type, params: requested } of actions as readonly { type: string; params?: unknown }[]) {
      const params = requested as { timer: string; dueAt: number };
      if (type === 'startTimer') timers.set(params.timer, params.dueAt);
      if (type === 'cancelTimer') timers.delete(params.timer);
    }
  }
}
