import type { EndpointInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Timestamp } from '../../../ui/values/timestamp.tsx';
import { failureWords } from './labels.ts';

const DISABLED = { merchant: 'disabled', failing: 'disabled for failing', gone: 'disabled: returned 410' } as const;

export function EndpointState({ endpoint }: { readonly endpoint: EndpointInfo }) {
  const { enabled, disabledBecause, failingSince, health } = endpoint;
  if (!enabled) {
    return (
      <Badge tone={disabledBecause === 'merchant' ? 'quiet' : 'bad'}>{DISABLED[disabledBecause ?? 'merchant']}</Badge>
    );
  }
  if (failingSince !== null) return <Badge tone="bad">failing</Badge>;
  return health.lastSuccessAt === null ? <Badge>not used yet</Badge> : <Badge tone="good">works</Badge>;
}

/** Shown only for endpoints that receive test events, alone or together with live ones. */
export function EndpointModes({ endpoint: { modes } }: { readonly endpoint: EndpointInfo }) {
  if (modes.length > 1) return <Badge>live and test</Badge>;
  return modes[0] === 'test' ? <Badge tone="warn">test</Badge> : null;
}

/** The result of the newest attempts, in a sentence or two. */
export function EndpointNews({ endpoint }: { readonly endpoint: EndpointInfo }) {
  const { disabledAt, failingSince, health } = endpoint;
  const { lastSuccessAt, lastFailure, failuresInARow } = health;
  return (
    <>
      {disabledAt === null ? null : (
        <>
          Disabled <Timestamp at={disabledAt} />, and receives nothing.{' '}
        </>
      )}
      {lastSuccessAt === null ? (
        'Nothing accepted so far.'
      ) : (
        <>
          Last accepted <Timestamp at={lastSuccessAt} />.
        </>
      )}
      {lastFailure === null || (failingSince === null && failuresInARow === 0) ? null : (
        <>
          {' '}
          <span className="bad">
            {failuresInARow <= 1 ? 'The last attempt failed' : `The last ${failuresInARow} attempts failed, the latest`}{' '}
            <Timestamp at={lastFailure.at} />: {failureWords(lastFailure.kind, lastFailure.status)}.
          </span>
        </>
      )}
    </>
  );
}
