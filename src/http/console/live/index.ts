/** Live updates: changes of actors, sent to open pages. */

export { liveRoute } from './live-route.ts';
