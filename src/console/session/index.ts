/** Access to the console: sign-in, accounts, and the guard for the other console routes. */

export {
  guardConsole,
  isStillSignedIn,
  requireReauth,
  requireRecentPassword,
  requireRole,
  signedInOf,
} from './guard.ts';
export { sessionRoutes } from './routes.ts';
