export { BlockedAddressError } from './blocked-error.ts';
export type { ConnectionTrace } from './connection-trace.ts';
export { newConnectionTrace } from './connection-trace.ts';
export { literalOf } from './connector.ts';
export { createGuardedDispatcher } from './dispatcher.ts';
export { createAddressGuard, isForbiddenAddress } from './forbidden.ts';
export { isPrivateName } from './private-name.ts';
export type { Resolve } from './resolve.ts';
export { createResolver } from './resolve.ts';
