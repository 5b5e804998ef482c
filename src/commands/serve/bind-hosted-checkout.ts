import type { HostedCheckout } from '../../api/index.ts';
import { payProblemPage, SECURITY_HEADERS } from '../../checkout/index.ts';
import { type HostedPaymentDeps, openHostedPayment } from '../../links/index.ts';
import type { OutageNotice } from '../../outage-notice.ts';

/** Dependencies of `GET /pay`: the use case of `links`, and pages in the style of the checkout. */
export function bindHostedCheckout(deps: HostedPaymentDeps, { watch }: Pick<OutageNotice, 'watch'>): HostedCheckout {
  return {
    open: (opener, request) => watch(() => openHostedPayment(deps, opener, request)),
    problemPage: (problem) => ({ markup: payProblemPage(problem), headers: SECURITY_HEADERS }),
  };
}
