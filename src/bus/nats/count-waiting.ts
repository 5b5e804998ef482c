import type { Queue } from '../port.ts';
import type { Session } from './broker.ts';
import type { Topology } from './topology.ts';

/**
 * Number of messages in the stream by queue: a work queue holds exactly those that no handler has
 * acknowledged. One request; the server keeps a count per subject. Rejects when it does not answer.
 */
export async function countWaiting({ jsm, stream }: Session, { prefix }: Topology): Promise<Map<Queue, number>> {
  const { state } = await jsm.streams.info(stream.name, { subjects_filter: `${prefix}.>` });
  const counts = new Map<Queue, number>();
  for (const [subject, messages] of Object.entries(state.subjects ?? {})) {
    const [, queue = ''] = subject.split('.');
    counts.set(queue, (counts.get(queue) ?? 0) + messages);
  }
  return counts;
}
