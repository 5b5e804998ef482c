import type { ReactNode } from 'react';
import type { MerchantDetail } from '../../../../http/console/operator/merchant-schemas.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { Timestamp } from '../../../ui/values/timestamp.tsx';
import { ROLE_WORDS } from '../../account/labels.ts';
import { failureText } from '../failure-text.ts';

export function MerchantUsers({ users }: Pick<MerchantDetail, 'users'>) {
  return (
    <Card title="Users">
      {users.length === 0 ? (
        <EmptyState title="No user can sign in">
          Create an owner on the server: quittance user create --role owner
        </EmptyState>
      ) : null}
      <ul className="lines">
        {users.map(({ id, email, role, hasTotp, isInvited, isDisabled }) => (
          <li key={id} className="line">
            <span className="line-main wrap">
              {email} <span className="soft">{ROLE_WORDS[role]}</span>
            </span>
            {isDisabled ? <Badge tone="bad">disabled</Badge> : null}
            {isInvited ? <Badge tone="warn">invited</Badge> : null}
            {hasTotp ? <Badge tone="good">two-factor</Badge> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function MerchantKeys({ keys }: Pick<MerchantDetail, 'keys'>) {
  return (
    <Card title="API keys">
      {keys.length === 0 ? <EmptyState title="No keys yet" /> : null}
      <ul className="lines">
        {keys.map(({ id, name, kind, mode, hint, lastUsedAt, endsAt }) => (
          <li key={id} className="line">
            <span className="line-main wrap">
              <code>…{hint}</code> {name} <span className="soft">{`${kind}, ${mode}`}</span>
            </span>
            <span className="soft">{lastUsedAt === null ? 'never used' : <Used at={lastUsedAt} />}</span>
            {endsAt === null ? null : <Badge>{endsAt <= Date.now() ? 'revoked' : 'ends soon'}</Badge>}
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function MerchantWallets({ runs }: { readonly runs: MerchantDetail['walletRuns'] }) {
  return (
    <Card title="Wallets">
      {runs.length === 0 ? (
        <EmptyState title="It cannot accept live payments yet">No wallet is set up.</EmptyState>
      ) : null}
      <ul className="lines">
        {runs.map(({ network, cryptos, allocated, unusedRun, warning }) => (
          <li key={network} className="line">
            <span className="line-main wrap">
              <strong>{cryptos.join(', ')}</strong> <span className="soft">{network}</span>
            </span>
            <span className="soft number">{`${allocated.toLocaleString('en')} addresses used`}</span>
            {unusedRun === 0 ? null : (
              <Badge tone={warning === null ? 'quiet' : 'warn'}>{`${unusedRun} unused in a row`}</Badge>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface EndpointsProps {
  readonly endpoints: MerchantDetail['endpointStates'];
  /** A link to a delivery. The router needs a browser, so the page makes it. */
  linkTo(deliveryId: string, text: string): ReactNode;
}

export function MerchantEndpoints({ endpoints, linkTo }: EndpointsProps) {
  return (
    <Card title="Webhook endpoints">
      {endpoints.length === 0 ? <EmptyState title="No endpoints yet" /> : null}
      <ul className="lines">
        {endpoints.map((endpoint) => (
          <li key={endpoint.id} className="line">
            <span className="line-main wrap">
              {endpoint.host} <span className="soft">{endpoint.name === '' ? endpoint.id : endpoint.name}</span>
            </span>
            {endpoint.modes.includes('live') ? null : <Badge tone="warn">test</Badge>}
            {endpoint.lastSuccessAt === null ? null : (
              <span className="soft">
                <Delivered at={endpoint.lastSuccessAt} />
              </span>
            )}
            {lastFailureOf(endpoint, linkTo)}
            <Condition endpoint={endpoint} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

// Helpers

type Endpoint = MerchantDetail['endpointStates'][number];

function Used({ at }: { readonly at: number }) {
  return (
    <>
      used <Timestamp at={at} />
    </>
  );
}

function Delivered({ at }: { readonly at: number }) {
  return (
    <>
      delivered <Timestamp at={at} />
    </>
  );
}

/** Why the newest attempt failed, as a link to its delivery; nothing once a later one succeeded. */
function lastFailureOf({ lastFailure, failuresInARow }: Endpoint, linkTo: EndpointsProps['linkTo']): ReactNode {
  if (lastFailure === null || failuresInARow === 0) return null;
  return linkTo(lastFailure.deliveryId, `Last attempt: ${failureText(lastFailure)}`);
}

function Condition({ endpoint }: { readonly endpoint: Endpoint }) {
  const { isEnabled, disabledBecause, failingSince, failuresInARow, lastSuccessAt } = endpoint;
  if (disabledBecause === 'failing') return <Badge tone="bad">abandoned</Badge>;
  if (disabledBecause === 'gone') return <Badge tone="bad">returned 410</Badge>;
  if (!isEnabled) return <Badge>disabled</Badge>;
  if (failingSince === null) {
    return lastSuccessAt === null ? <Badge>not used yet</Badge> : <Badge tone="good">works</Badge>;
  }
  return <Badge tone="bad">{failuresInARow === 0 ? 'failing' : `${failuresInARow} failures in a row`}</Badge>;
}
