import type { FastifyInstance } from 'fastify';
import { maybe, oneOf, textUpTo, whole } from '../../reading.ts';
import { memberOf } from '../member.ts';
import { readGiven } from '../read-given.ts';
import { idIn, MAX_ID_CHARACTERS } from './ids.ts';
import type { EndpointsDesk } from './port.ts';

const DEFAULT_DELIVERIES = 50;
const MAX_DELIVERIES = 100;
const MAX_EVENT_CHARACTERS = 100;
/** The end of the year 9999. */
export const MAX_MOMENT = 253_402_300_799_999;

type Log = Pick<EndpointsDesk, 'deliveries' | 'delivery' | 'redeliver'>;

/** The delivery log, and resending one event. Staff may use both. */
export function deliveryRoutes(app: FastifyInstance, log: Log): void {
  app.get('/webhooks/:id/deliveries', async (request) => {
    const { limit = DEFAULT_DELIVERIES, ...filter } = readGiven(request.query, {
      state: maybe(oneOf(['sending', 'waiting', 'delivered', 'failed'])),
      event: maybe(textUpTo(MAX_EVENT_CHARACTERS)),
      from: maybe(whole(0, MAX_MOMENT)),
      before: maybe(textUpTo(MAX_ID_CHARACTERS)),
      limit: maybe(whole(1, MAX_DELIVERIES)),
    });
    return { data: await log.deliveries(memberOf(request), idIn(request.params), { ...filter, limit }) };
  });

  app.get('/webhooks/deliveries/:id', async (request) => ({
    data: await log.delivery(memberOf(request), idIn(request.params)),
  }));

  app.post('/webhooks/deliveries/:id/redeliver', async (request) => ({
    data: await log.redeliver(memberOf(request), idIn(request.params)),
  }));
}
