import '../../../styles/endpoints.css';
import { useState } from 'react';
import type { EndpointDetail } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useEndpoint } from '../../../api/endpoints.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { BackLink } from '../../../shell/back-link.tsx';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { Deliveries } from './deliveries.tsx';
import { EndpointHealthSection } from './endpoint-health.tsx';
import { EndpointSettings } from './endpoint-settings.tsx';
import { EndpointState } from './endpoint-state.tsx';
import { nameOf } from './labels.ts';
import { SendTest } from './send-test.tsx';

interface EndpointPageProps {
  readonly id: string;
  readonly isOwner: boolean;
}

/** One endpoint: its state, its settings, and its deliveries. */
export function EndpointPage({ id, isOwner }: EndpointPageProps) {
  const endpoint = useEndpoint(id);
  if (endpoint.data !== undefined) return <EndpointView detail={endpoint.data} isOwner={isOwner} />;
  return (
    <Page title="Webhook endpoint">
      <Await query={endpoint} label="Loading the endpoint" lines={10}>
        {() => null}
      </Await>
      <Link href={hrefOf('endpoints', {})}>All endpoints</Link>
    </Page>
  );
}

// Helpers

function EndpointView({ detail, isOwner }: { readonly detail: EndpointDetail; readonly isOwner: boolean }) {
  const { endpoint } = detail;
  const [isTesting, setIsTesting] = useState(false);
  const name = nameOf(endpoint);
  return (
    <Page
      title={name}
      heading={
        <>
          <BackLink href={hrefOf('endpoints', {})} label="All endpoints" />
          <h1 className="wrap">{name}</h1>
          <EndpointState endpoint={endpoint} />
        </>
      }
      actions={
        <Button
          variant="main"
          disabled={!endpoint.enabled}
          title={endpoint.enabled ? undefined : 'Enable the endpoint first'}
          onClick={() => setIsTesting(true)}
        >
          Send a test event
        </Button>
      }
    >
      <div className="columns-2">
        <EndpointHealthSection detail={detail} isOwner={isOwner} />
        <EndpointSettings detail={detail} isOwner={isOwner} />
      </div>
      <Deliveries detail={detail} isOwner={isOwner} />
      <Dialog title="Send a test event" isWide isOpen={isTesting} close={() => setIsTesting(false)}>
        <SendTest endpoint={endpoint} eventTypes={detail.eventTypes} close={() => setIsTesting(false)} />
      </Dialog>
    </Page>
  );
}
