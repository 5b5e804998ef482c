import type { LiveDesk } from '../../../console/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import type { DeskDeps } from './deps.ts';

/** The one feed of this process, narrowed to the merchant of whoever listens. */
export function bindLive({ feed }: Pick<DeskDeps, 'feed'>, { watch }: Pick<OutageNotice, 'watch'>): LiveDesk {
  return {
    follow: ({ merchantId }, listener, since) => watch(() => feed.join({ ...listener, merchantId }, since)),
  };
}
