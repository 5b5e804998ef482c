import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  cancelReplay,
  countReplayedEvents,
  getReplay,
  previewReplay,
  type Replay,
  requestReplay,
} from '../../../../webhooks/index.ts';
import { IdParams } from '../../schema.ts';
import { requireRole } from '../../session/guard.ts';
import type { MerchantDeps } from '../deps.ts';
import { authorOf, memberOf } from '../member.ts';
import type { ReadSlots } from '../read-slots.ts';
import { type ReplayInfo, ReplayRange } from './schemas.ts';

type ReplayDeps = Pick<MerchantDeps, 'db' | 'engine' | 'clock'> & { readonly slots: ReadSlots };

/**
 * Replays of the events of a time range: preview, start, progress and cancellation. Only owners
 * start and cancel one.
 */
export const replayRoutes: FastifyPluginAsyncTypebox<ReplayDeps> = async (app, deps) => {
  const forOwners = { onRequest: requireRole('owner') };

  const preview = { params: IdParams, querystring: ReplayRange };
  app.get('/webhooks/:id/replay-preview', { schema: preview }, async (request) => {
    const { merchantId } = memberOf(request);
    const input = { merchantId, endpointId: request.params.id, ...rangeOf(request.query) };
    return { data: await deps.slots.read(merchantId, () => previewReplay(deps, input)) };
  });

  const start = { params: IdParams, body: ReplayRange };
  app.post('/webhooks/:id/replays', { ...forOwners, schema: start }, async (request, reply) => {
    const member = memberOf(request);
    const { merchantId } = member;
    const input = {
      merchantId,
      endpointId: request.params.id,
      ...rangeOf(request.body),
      author: authorOf(deps, member),
    };
    return reply.code(201).send({ data: await withTotal(deps, merchantId, await requestReplay(deps, input)) });
  });

  const one = { params: IdParams };
  app.get('/webhooks/replays/:id', { schema: one }, async (request) => {
    const { merchantId } = memberOf(request);
    const replay = await getReplay(deps, { merchantId, replayId: request.params.id });
    return { data: await withTotal(deps, merchantId, replay) };
  });

  app.post('/webhooks/replays/:id/cancel', { ...forOwners, schema: one }, async (request) => {
    const member = memberOf(request);
    const { merchantId } = member;
    const author = authorOf(deps, member);
    const replay = await cancelReplay(deps, { merchantId, replayId: request.params.id, author });
    return { data: await withTotal(deps, merchantId, replay) };
  });
};

/** A replay with its total number of events, for a progress bar. */
export async function withTotal(
  deps: Pick<MerchantDeps, 'db'>,
  merchantId: string,
  replay: Replay,
): Promise<ReplayInfo> {
  return { ...replay, eventsTotal: await countReplayedEvents(deps, { merchantId, replay }) };
}

// Helpers

function rangeOf({ only, ...times }: ReplayRange) {
  return { ...times, onlyFailed: only === 'failed' };
}
