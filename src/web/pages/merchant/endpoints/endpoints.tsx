import { useState } from 'react';
import type { EndpointInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useEndpoints } from '../../../api/endpoints.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { AddEndpoint } from './add-endpoint.tsx';
import { EndpointModes, EndpointNews, EndpointState } from './endpoint-state.tsx';
import { nameOf } from './labels.ts';

/** The merchant's webhook endpoints. */
export function EndpointsPage({ isOwner }: { readonly isOwner: boolean }) {
  const list = useEndpoints();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Page
      title="Webhooks"
      about="Your server is notified of every event. Give an address on your server, and every event is posted there, signed, again and again until your server has taken it."
      actions={
        isOwner ? (
          <Button look="main" onClick={() => setIsAdding(true)}>
            Add an endpoint
          </Button>
        ) : undefined
      }
    >
      <Await query={list} label="Fetching your endpoints" lines={6}>
        {({ endpoints, ...types }) => (
          <>
            <Card className="card-flush">
              {endpoints.length === 0 ? (
                <EmptyState title="No endpoints yet">
                  {isOwner
                    ? 'Add an endpoint: the address on your server that takes events, like https://shop.example/webhooks. Shop plug-ins name theirs in their settings.'
                    : 'Ask an owner to add the address on your server that takes events.'}
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
          <EndpointNews endpoint={endpoint} /> {count === 1 ? '1 kind of event.' : `${count} kinds of events.`}
        </p>
      </div>
      <Link
        className="button"
        href={hrefOf('endpoint', { id: endpoint.id })}
        aria-label={`Look at ${nameOf(endpoint)}`}
      >
        Look
      </Link>
    </li>
  );
}
