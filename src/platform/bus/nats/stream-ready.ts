import { setTimeout as sleep } from 'node:timers/promises';
import type { JetStreamClient } from '@nats-io/jetstream';
import { JetStreamApiError } from '@nats-io/jetstream';
import { RequestError } from '@nats-io/transport-node';
import { subjectOf, type Topology } from './topology.ts';

/** A queue that exists only in the question below. */
const NO_QUEUE = 'ready';
const ASK_EVERY_MS = 20;
const MAX_QUESTIONS = 50;

/**
 * Resolves when a stream responds to publishes; rejects when it still does not after a second.
 * nats-server (2.9 for certain) lists a new stream, and creates consumers for it, shortly before
 * that. Such a consumer is permanently broken: the server counts its messages as delivered but
 * sends them to no client. So a process that finds the stream of another one waits here first.
 *
 * The question is a message that expects another stream: the server rejects it and stores nothing.
 */
export async function untilStreamResponds(
  js: JetStreamClient,
  { prefix }: Topology,
  { name }: { readonly name: string },
): Promise<void> {
  for (let question = 1; ; question += 1) {
    try {
      await js.publish(subjectOf(prefix, NO_QUEUE, 0), '', { expect: { streamName: `not-${name}` } });
      return;
    } catch (error) {
      if (error instanceof JetStreamApiError) return;
      if (!hasNoResponders(error)) throw error;
      if (question === MAX_QUESTIONS) throw new Error(`the stream ${name} does not respond yet`, { cause: error });
      await sleep(ASK_EVERY_MS);
    }
  }
}

/** No stream accepts the subject: it is gone, or not ready, or JetStream is not up yet. */
export function hasNoResponders(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof RequestError && cause.isNoResponders();
}
