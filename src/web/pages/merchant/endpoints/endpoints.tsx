import '../../../styles/endpoints.css';
import { useState } from 'react';
import type { EndpointInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useEndpoints } from '../../../api/endpoints.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { countText } from '../../../ui/values/word-text.ts';
import { AddEndpoint } from './add-endpoint.tsx';
import { EndpointModes, EndpointNews, EndpointState } from './endpoint-state.tsx';
import { nameOf } from './labels.ts';

export function EndpointsPage({ isOwner }: { readonly isOwner: boolean }) {
  const list = useEndpoints();
  const [isAdding, setIsAdding] = useState(false);
  const add = isOwner ? (
    <Button variant="main" onClick={() => setIsAdding(true)}>
      Add an endpoint
    </Button>
  ) : undefined;
  return (
    <Page
      title="Webhooks"
      about="Events are sent to your server as signed POST requests. An event that is not accepted is retried, up to ten attempts over 24 hours."
      actions={list.data?.endpoints.length === 0 ? undefined : add}
    >
      <Await query={list} label="Loading your endpoints" lines={6}>
        {({ endpoints, ...types }) => (
          <>
            <Card className="card-flush">
              {endpoints.length === 0 ? (
                <EmptyState title="No endpoints yet" action={add}>
                  {isOwner
                    ? 'An endpoint is a URL on your server, like https://shop.example/webhooks. Shop plug-ins show it in their settings.'
                    : 'Ask an owner to add the URL on your server that receives events.'}
                </EmptyState>
              ) : (
                <ul className="lines">
                  {endpoints.map((endpoint) => (
                    <EndpointLine key={endpoint.id} endpoint={endpoint} />
                  ))}
                </ul>
              )}
            </Card>
            <AddEndpoint isOpen={isAdding} types={types} close={() => setIsAdding(false)} />
          </>
        )}
      </Await>
    </Page>
  );
}

// Helpers

function EndpointLine({ endpoint }: { readonly endpoint: EndpointInfo }) {
  const count = endpoint.events.length;
  return (
    <li className="line">
      <div className="line-main">
        <p className="key-head">
          <Link href={hrefOf('endpoint', { id: endpoint.id })} className="endpoint-name wrap">
            {nameOf(endpoint)}
          </Link>
          <EndpointState endpoint={endpoint} />
          <EndpointModes endpoint={endpoint} />
        </p>
        <p className="mono wrap">{endpoint.url}</p>
        <p className="soft">
          <EndpointNews endpoint={endpoint} /> {`${countText(count, 'event type')}.`}
        </p>
      </div>
      <Link className="button" href={hrefOf('endpoint', { id: endpoint.id })} aria-label={`View ${nameOf(endpoint)}`}>
        View
      </Link>
    </li>
  );
}
