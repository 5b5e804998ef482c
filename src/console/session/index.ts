/** Who is let into the console: sign-in, accounts, and the guard that other routes of the console stand behind. */

export { guardConsole, isStillSignedIn, requireReauth, requireRole, signedInOf } from './guard.ts';
export type { Accounts } from './ports.ts';
export { asSentence } from './problems.ts';
export { sessionRoutes } from './routes.ts';
