import type { CustomerRequests } from '../../checkout/index.ts';
import { RetryableError } from '../../errors.ts';
import type { OutageNotice } from '../../outage-notice.ts';
import {
  decideAsCustomer,
  findForCustomer,
  findPeriod,
  type OpenPeriodDeps,
  openPeriod,
} from '../../recurring/index.ts';

/**
 * Binds the actions behind the links in customer mails to the use cases of `recurring`. They fail
 * until the service is open.
 */
export function bindCustomerRequests(
  deps: OpenPeriodDeps,
  isOpen: () => boolean,
  { watch }: Pick<OutageNotice, 'watch'>,
): CustomerRequests {
  const whenOpen = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!isOpen()) throw new RetryableError('STARTING', 'The service is starting; try again shortly');
    return watch(work);
  };
  return {
    find: (purpose, token) => whenOpen(() => findForCustomer(deps, purpose, token)),
    confirm: (token) => whenOpen(() => decideAsCustomer(deps, 'confirm', token)),
    stop: (token) => whenOpen(() => decideAsCustomer(deps, 'stop', token)),
    findPeriod: (token) => whenOpen(async () => (await findPeriod(deps, token))?.shown ?? null),
    openPeriod: (token, crypto) => whenOpen(() => openPeriod(deps, token, crypto)),
  };
}
