import { useState } from 'react';
import type { SystemHealth } from '../../../http/console/operator/schemas.ts';
import { useResolveAlert } from '../../api/operator.ts';
import { hrefOf } from '../../routing/paths.ts';
import { toastAndClose } from '../../state/toasts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ShortId } from '../../ui/short-id.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { alertTitle } from './alert-titles.ts';
import { ReasonForm } from './reason-field.tsx';

type Alert = SystemHealth['alerts'][number];

interface AlertsProps extends Pick<SystemHealth, 'alerts' | 'testAlerts'> {
  readonly mayAct: boolean;
}

/** Open alerts, with those of test payments in a separate, folded list. */
export function Alerts({ alerts, testAlerts, mayAct }: AlertsProps) {
  const [resolved, setResolved] = useState<Alert | null>(null);
  const close = () => setResolved(null);
  const resolve = mayAct ? setResolved : null;
  if (alerts.length + testAlerts.length === 0 && resolved === null) return null;
  const count = <Badge tone={alerts.length === 0 ? 'quiet' : 'bad'}>{alerts.length}</Badge>;
  return (
    <Card id="alerts" title="Alerts" actions={count}>
      <Lines alerts={alerts} resolve={resolve} />
      {testAlerts.length === 0 ? null : (
        <details className="help">
          <summary>Test mode ({testAlerts.length})</summary>
          <p>Alerts of test payments, for practice. Metrics do not count them.</p>
          <Lines alerts={testAlerts} resolve={resolve} />
        </details>
      )}
      <Dialog title="Resolve an alert" isOpen={resolved !== null} close={close}>
        {resolved === null ? null : <ResolveAlert key={resolved.id} alert={resolved} close={close} />}
      </Dialog>
    </Card>
  );
}

// Helpers

interface LinesProps {
  readonly alerts: readonly Alert[];
  /** Null for users who may not. */
  readonly resolve: ((alert: Alert) => void) | null;
}

function Lines({ alerts, resolve }: LinesProps) {
  return (
    <ul className="lines">
      {alerts.map((alert) => (
        <li key={alert.id} className="line">
          <div className="line-main">
            <p>
              <AlertTitle alert={alert} /> <Timestamp at={alert.at} />
            </p>
            <p className="wrap">{alert.detail}</p>
          </div>
          {alert.actorId === '' ? null : <ShortId id={alert.actorId} href={hrefOf('actor', { id: alert.actorId })} />}
          {resolve === null ? null : (
            <Button
              variant="quiet"
              aria-label={`Resolve ${alertTitle(alert.alert)}: ${alert.detail}`}
              onClick={() => resolve(alert)}
            >
              Resolve
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

interface ResolveAlertProps {
  readonly alert: SystemHealth['alerts'][number];
  close(): void;
}

/** Resolves an alert and records the reason. */
function ResolveAlert({ alert, close }: ResolveAlertProps) {
  const resolve = useResolveAlert();
  return (
    <ReasonForm
      work={resolve}
      action="Resolve alert"
      hint="What you did about it. Recorded with your name."
      submit={(recorded) => resolve.mutate({ id: alert.id, ...recorded }, toastAndClose('Alert resolved.', close))}
      close={close}
    >
      <p>
        <AlertTitle alert={alert} /> <Timestamp at={alert.at} />
      </p>
      <p className="wrap">{alert.detail}</p>
    </ReasonForm>
  );
}

/** An alert in words; its name, by which the documentation lists it, is the tooltip. */
function AlertTitle({ alert: { alert } }: { readonly alert: SystemHealth['alerts'][number] }) {
  return (
    <strong className="bad" title={alert}>
      {alertTitle(alert)}
    </strong>
  );
}
