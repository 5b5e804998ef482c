import { describe, expect, it } from 'vitest';
import { scheduleMachine, scheduleStatusOf } from '../../../machines/index.ts';
import { readChart } from '../chart-walk.ts';
import { startSchedule } from './schedule-run.ts';

describe('the schedule chart', () => {
  const leaves = readChart(scheduleMachine).states.filter((state) => state.isLeaf && !state.isFinal);

  it('agrees with the public status leaf by leaf while it runs, children inheriting from their parents', () => {
    const running = leaves.filter(({ path }) => !path.startsWith('ended.'));
    const fromChart = running.map(({ path, meta }) => [path, meta.publicStatus]);
    const fromStatus = running.map(({ path }) => [path, scheduleStatusOf(path, { endedAs: null })]);
    expect(fromChart).toEqual(fromStatus);
  });

  it('agrees with the public status of each way to end', () => {
    const ends = [
      ['merchant.cancelled', [{ type: 'merchant.cancelled', by: 'usr_1' }]],
      ['customer.stopped', [{ type: 'customer.confirmed' }, { type: 'customer.stopped' }]],
      ['mail.bounced', [{ type: 'mail.bounced' }]],
    ] as const;
    for (const [name, events] of ends) {
      const run = startSchedule();
      for (const event of events) run.send(event);
      const meta = leaves.find(({ path }) => path === run.leaf())?.meta;
      expect(meta?.publicStatus, name).toBe(scheduleStatusOf(run.leaf(), run.context()));
    }
  });
});
