import type { FastifyPluginAsync } from 'fastify';
import { liveRoute } from '../../live/index.ts';
import { isStillSignedIn } from '../../session/index.ts';
import { memberOf } from '../member.ts';
import type { LiveDesk } from './port.ts';

export interface LiveRoutesOptions {
  readonly live: LiveDesk;
  readonly heartbeatMs?: number;
}

/**
 * `GET /live`: the steps of the merchant's payments, schedules and deliveries as server-sent
 * events. See `liveRoute`.
 */
export const liveRoutes: FastifyPluginAsync<LiveRoutesOptions> = async (app, { live, heartbeatMs }) => {
  liveRoute(app, {
    follow: (request, listener, since) => live.follow(memberOf(request), listener, since),
    isStillIn: isStillSignedIn,
    ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
  });
};
