import type { FastifyInstance } from 'fastify';
import { readFields, whole } from '../../reading.ts';
import { requireRole } from '../../session/index.ts';
import { memberOf } from '../member.ts';
import { MAX_MOMENT } from './delivery-routes.ts';
import { idIn } from './ids.ts';
import type { EndpointsDesk } from './port.ts';

type Replays = Pick<EndpointsDesk, 'previewReplay' | 'replay' | 'getReplay' | 'cancelReplay'>;

/**
 * Replays of all events since a time: preview, start, progress and cancellation. Only owners start
 * and cancel one.
 */
export function replayRoutes(app: FastifyInstance, replays: Replays): void {
  const forOwners = { onRequest: requireRole('owner') };

  app.get('/webhooks/:id/replay-preview', async (request) => {
    const { since } = readFields(request.query, { since: moment });
    return { data: await replays.previewReplay(memberOf(request), idIn(request.params), since) };
  });

  app.post('/webhooks/:id/replays', forOwners, async (request, reply) => {
    const { since } = readFields(request.body, { since: moment });
    return reply.code(201).send({ data: await replays.replay(memberOf(request), idIn(request.params), since) });
  });

  app.get('/webhooks/replays/:id', async (request) => ({
    data: await replays.getReplay(memberOf(request), idIn(request.params)),
  }));

  app.post('/webhooks/replays/:id/cancel', forOwners, async (request) => ({
    data: await replays.cancelReplay(memberOf(request), idIn(request.params)),
  }));
}

// Helpers

const moment = whole(0, MAX_MOMENT);
