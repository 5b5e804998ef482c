/** What happens to actors, told to open pages as it happens. */

export { liveRoute } from './live-route.ts';
export type { LiveListener } from './port.ts';
