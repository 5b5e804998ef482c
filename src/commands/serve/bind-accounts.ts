import {
  type AccountsDeps,
  beginTotp,
  changePassword,
  confirmSignUp,
  confirmTotp,
  disableTotp,
  findSession,
  inviteUser,
  isSetupOpen,
  listSessions,
  listUsers,
  manageUser,
  openMerchant,
  reauthenticate,
  regenerateRecoveryCodes,
  requestPasswordReset,
  requireRecentPassword,
  resetPassword,
  revokeSession,
  setUp,
  signIn,
  signOut,
  signUp,
} from '../../accounts/index.ts';
import type { Accounts } from '../../console/index.ts';
import { whileDatabaseAnswers } from '../../db/index.ts';
import { RetryableError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { ThrottledErrorLog } from '../../throttled-error-log.ts';

/**
 * Binds the console's account operations to their use cases. They fail with `STARTING` until the
 * service is open. `sendsMails`: a mail server is connected.
 */
export function bindAccounts(
  deps: AccountsDeps,
  isOpen: () => boolean,
  { watch }: Pick<ThrottledErrorLog, 'watch'>,
  log: Pick<Log, 'warn'>,
  { sendsMails }: { readonly sendsMails: boolean },
): Accounts {
  const whenOpen = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!isOpen()) throw new RetryableError('STARTING', 'The service is starting; try again shortly');
    return work();
  };
  return {
    findSession: (token) => whenOpen(() => findSession(deps, token)),
    signIn: (request) => whenOpen(() => signIn(deps, request)),
    reauthenticate: (actor, factors) => whenOpen(() => reauthenticate(deps, actor, factors)),
    requireRecentPassword: (sessionId) => whenOpen(() => requireRecentPassword(deps, sessionId)),
    signOut: (token) => whenOpen(() => signOut(deps, token)),
    changePassword: (actor, change) => whenOpen(() => changePassword(deps, actor, change)),
    beginTotp: (actor, password) => whenOpen(() => beginTotp(deps, actor, password)),
    confirmTotp: (actor, code) => whenOpen(() => confirmTotp(deps, actor, code)),
    disableTotp: (actor, factors) => whenOpen(() => disableTotp(deps, actor, factors)),
    regenerateRecoveryCodes: (actor, factors) => whenOpen(() => regenerateRecoveryCodes(deps, actor, factors)),
    listSessions: (actor) => whenOpen(() => listSessions(deps, actor)),
    revokeSession: (actor, sessionId) => whenOpen(() => revokeSession(deps, actor, sessionId)),
    listUsers: (wanted) => whenOpen(() => listUsers(deps.db, wanted)),
    inviteUser: (actor, invitation) => whenOpen(() => inviteUser(deps, actor, invitation)),
    manageUser: (actor, userId, changes) => whenOpen(() => manageUser(deps, actor, userId, changes)),
    openMerchant: (actor, shop) => whenOpen(() => openMerchant(deps, actor, shop, { sendsMails })),
    isSetupOpen: () => whenOpen(() => isSetupOpen(deps.db)),
    setUp: (request) => whenOpen(() => setUp(deps, request)),
    isSignUpOpen: deps.signUp.isOpen,
    signUp: (request) => whenOpen(() => signUp(deps, request)),
    confirmSignUp: (request) => whenOpen(() => confirmSignUp(deps, request)),
    requestPasswordReset: (request) =>
      whenOpen(() =>
        requestPasswordReset(deps, request, (work) => {
          // A failure loses a mail that the user can request again; the notice logs an outage.
          void watch(() => whileDatabaseAnswers(work)).catch((error: unknown) =>
            log.warn({ err: error }, 'a mail to reset a password was not written; the user can ask for another'),
          );
        }),
      ),
    resetPassword: (request) => whenOpen(() => resetPassword(deps, request)),
  };
}
