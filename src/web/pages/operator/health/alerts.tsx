import { useState } from 'react';
import type { SystemHealth } from '../../../../http/console/operator/schemas.ts';
import { useResolveAlert } from '../../../api/operator.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ShortId } from '../../../ui/values/short-id.tsx';
import { Timestamp } from '../../../ui/values/timestamp.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { ReasonForm } from '../reason-field.tsx';
import { alertTitle } from './alert-titles.ts';

type Alert = SystemHealth['alerts'][number];

interface AlertsProps extends Pick<SystemHealth, 'alerts' | 'testAlerts'> {
  readonly mayAct: boolean;
}

/** Open alerts, with those of test payments in a separate, folded list. */
export function Alerts({ alerts, testAlerts, mayAct }: AlertsProps) {
  const { resolve, isOpen, dialog } = useResolveDialog(mayAct);
  if (alerts.length + testAlerts.length === 0 && !isOpen) return null;
  const count = <Badge tone={alerts.length === 0 ? 'quiet' : 'bad'}>{alerts.length}</Badge>;
  return (
    <Card id="alerts" title="Alerts" actions={count}>
      <AlertLines alerts={alerts} resolve={resolve} />
      {testAlerts.length === 0 ? null : (
        <details className="help">
          <summary>Test mode ({testAlerts.length})</summary>
          <p>Alerts of test payments, for practice. Metrics do not count them.</p>
          <AlertLines alerts={testAlerts} resolve={resolve} />
        </details>
      )}
      {dialog}
    </Card>
  );
}

/** The dialog that resolves an alert on a page; `resolve` is null for users who may not. */
export function useResolveDialog(mayAct: boolean) {
  const [resolved, setResolved] = useState<Alert | null>(null);
  const close = () => setResolved(null);
  const dialog = (
    <Dialog title="Resolve an alert" isOpen={resolved !== null} close={close}>
      {resolved === null ? null : <ResolveAlert key={resolved.id} alert={resolved} close={close} />}
    </Dialog>
  );
  return { resolve: mayAct ? setResolved : null, isOpen: resolved !== null, dialog };
}

interface AlertLinesProps {
  readonly alerts: readonly Alert[];
  readonly resolve: ((alert: Alert) => void) | null;
  /** The page is about their actor, so it is not named. */
  readonly isOfOneActor?: boolean;
}

export function AlertLines({ alerts, resolve, isOfOneActor = false }: AlertLinesProps) {
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
          {isOfOneActor || alert.actorId === '' ? null : (
            <ShortId id={alert.actorId} href={hrefOf('actor', { id: alert.actorId })} />
          )}
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

// Helpers

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
