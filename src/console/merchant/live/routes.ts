import type { FastifyPluginAsync } from 'fastify';
import { liveRoute } from '../../live/index.ts';
import { isStillSignedIn } from '../../session/index.ts';
import type { MerchantDeps } from '../deps.ts';
import { memberOf } from '../member.ts';

export interface LiveDeps extends Pick<MerchantDeps, 'feed'> {
  readonly heartbeatMs?: number;
}

/**
 * `GET /live`: the steps of the merchant's payments, schedules and deliveries as server-sent
 * events. See `liveRoute`.
 */
export const liveRoutes: FastifyPluginAsync<LiveDeps> = async (app, { feed, heartbeatMs }) => {
  liveRoute(app, {
    follow: (request, listener, since) => feed.join({ ...listener, merchantId: memberOf(request).merchantId }, since),
    isStillIn: isStillSignedIn,
    ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
  });
};
