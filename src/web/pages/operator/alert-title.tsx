import type { SystemHealth } from '../../../http/console/operations/schemas.ts';
import { alertTitle } from './alert-titles.ts';

/** An alert in words; its name, by which the documentation lists it, is the tooltip. */
export function AlertTitle({ alert: { alert } }: { readonly alert: SystemHealth['alerts'][number] }) {
  return (
    <strong className="bad" title={alert}>
      {alertTitle(alert)}
    </strong>
  );
}
