import type { LiveDesk } from '../../../console/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import type { DeskDeps } from './deps.ts';

/** The live feed of this process, filtered by the merchant of the signed-in user. */
export function bindLive({ feed }: Pick<DeskDeps, 'feed'>, { watch }: Pick<OutageNotice, 'watch'>): LiveDesk {
  return {
    follow: ({ merchantId }, listener, since) => watch(() => feed.join({ ...listener, merchantId }, since)),
  };
}
