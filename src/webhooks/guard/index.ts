export { BlockedAddressError } from './blocked-error.ts';
export { createGuardedDispatcher, literalOf } from './dispatcher.ts';
export { createAddressGuard, isForbiddenAddress } from './forbidden.ts';
export type { Resolve } from './resolve.ts';
export { createResolver } from './resolve.ts';
