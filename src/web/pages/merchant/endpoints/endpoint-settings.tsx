import { useState } from 'react';
import type { EndpointDetail } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useChangeEndpoint } from '../../../api/endpoints.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, type Detail, DetailList } from '../../../ui/card.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { Timestamp } from '../../../ui/values/timestamp.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { MoreMenu } from '../../../ui/windows/more-menu.tsx';
import { DeleteEndpoint, DeleteResponses, DisableEndpoint } from './endpoint-confirmations.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { NewSecret, RotateSecret } from './endpoint-secrets.tsx';
import { MODE_LABELS } from './labels.ts';
import { Verification } from './verification.tsx';

interface EndpointSettingsProps {
  readonly detail: EndpointDetail;
  readonly isOwner: boolean;
}

type EndpointAction = 'change' | 'secret' | 'rotate' | 'check' | 'responses' | 'disable' | 'delete';

/** The endpoint's URL, events and other settings. Owners can change them. */
export function EndpointSettings({ detail, isOwner }: EndpointSettingsProps) {
  const { endpoint } = detail;
  const [doing, setDoing] = useState<EndpointAction | null>(null);
  const close = () => setDoing(null);
  const more = [
    { name: 'Rotate with overlap…', act: () => setDoing('rotate') },
    { name: 'New secret…', act: () => setDoing('secret') },
    { name: 'Delete stored responses…', act: () => setDoing('responses') },
    ...(endpoint.enabled ? [{ name: 'Disable…', act: () => setDoing('disable') }] : []),
    { name: 'Delete…', isDanger: true, act: () => setDoing('delete') },
  ];
  return (
    <Card
      title="Settings"
      actions={
        isOwner ? (
          <div className="button-row">
            <Button onClick={() => setDoing('change')}>Change</Button>
            <MoreMenu label="More actions for this endpoint" actions={more} />
          </div>
        ) : undefined
      }
    >
      <DetailList
        items={[
          [
            'Address',
            <span key="url" className="mono">
              {endpoint.url} <Copy text={endpoint.url} label="the address" />
            </span>,
          ],
          ['Events', <EventList key="events" detail={detail} />],
          ['Modes', endpoint.modes.map((mode) => MODE_LABELS[mode]).join(' and ')],
          ['Disabled after five days of failures', endpoint.disablesItself ? 'yes' : 'no'],
          ['Disabled on 410 Gone', endpoint.disablesOnGone ? 'yes' : 'no'],
          ['Rate limit', endpoint.maxPerSecond === null ? 'none' : `${endpoint.maxPerSecond} a second`],
          ['Added', <Timestamp key="added" at={endpoint.createdAt} />],
          [
            'Signing secret',
            <>
              created <Timestamp key="secret" at={endpoint.secretChangedAt} />
            </>,
          ],
          previousSecret(endpoint.previousSecretUntil),
        ]}
      />
      <div className="button-row settings-foot">
        <Button onClick={() => setDoing('check')}>How to verify the signature</Button>
      </div>
      {doing === null || doing === 'secret' || doing === 'rotate' ? null : (
        <Dialog title={TITLES[doing]} isWide={doing === 'change' || doing === 'check'} isOpen close={close}>
          {doing === 'change' ? <ChangeEndpoint detail={detail} close={close} /> : null}
          {doing === 'check' ? <Verification /> : null}
          {doing === 'responses' ? <DeleteResponses endpoint={endpoint} close={close} /> : null}
          {doing === 'disable' ? <DisableEndpoint endpoint={endpoint} close={close} /> : null}
          {doing === 'delete' ? <DeleteEndpoint endpoint={endpoint} close={close} /> : null}
        </Dialog>
      )}
      {doing === 'rotate' ? <RotateSecret endpoint={endpoint} close={close} /> : null}
      {doing === 'secret' ? <NewSecret endpoint={endpoint} close={close} /> : null}
    </Card>
  );
}

// Helpers

function ChangeEndpoint({ detail, close }: { readonly detail: EndpointDetail; close(): void }) {
  const { maxPerSecond, ...endpoint } = detail.endpoint;
  const change = useChangeEndpoint(endpoint.id);
  return (
    <EndpointForm
      start={{ ...endpoint, maxPerSecond: maxPerSecond === null ? '' : String(maxPerSecond) }}
      types={detail}
      work={change}
      action="Save"
      send={(body) => change.mutate(body, toastAndClose('Endpoint saved.', close))}
      close={close}
    />
  );
}

const TITLES: Readonly<Record<Exclude<EndpointAction, 'secret' | 'rotate'>, string>> = {
  change: 'Change this endpoint',
  check: 'How to verify the signature',
  responses: 'Delete stored responses',
  disable: 'Disable this endpoint',
  delete: 'Delete this endpoint',
};

/** Shown only while the previous secret is still valid. */
function previousSecret(until: number | null): Detail {
  if (until === null || until <= Date.now()) return null;
  return ['Previous secret signs until', <Timestamp key="previous" at={until} />];
}

function EventList({ detail: { endpoint, defaultEvents, eventTypes } }: { readonly detail: EndpointDetail }) {
  const { events } = endpoint;
  if (events.length === eventTypes.length) return <>all</>;
  const isUsual = events.length === defaultEvents.length && defaultEvents.every((type) => events.includes(type));
  return isUsual ? <>all but payment.created</> : <span className="mono">{events.join(', ')}</span>;
}
