import type { AttemptInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Facts } from '../../../ui/card.tsx';
import { FullMoment } from '../../../ui/moment.tsx';
import { Snippet } from '../../../ui/snippet.tsx';
import { failureSentences } from './labels.ts';
import { Timing } from './timing.tsx';

interface AttemptProps {
  readonly attempt: AttemptInfo;
  /** Whether it is expanded at first. */
  readonly isOpen: boolean;
}

/** One POST and its response. The whole response is untrusted and shown as text. */
export function Attempt({ attempt, isOpen }: AttemptProps) {
  const { status, failure, failureDetail, durationMs, isProbe, peerAddress } = attempt;
  return (
    <li className="attempt">
      <details open={isOpen}>
        <summary>
          <strong>Attempt {attempt.attempt}</strong>
          {failure === null ? (
            <Badge tone="good">{status ?? 'taken'}</Badge>
          ) : (
            <Badge tone="bad">{status ?? 'no answer'}</Badge>
          )}
          <span className="number soft">{durationMs.toLocaleString('en')} ms</span>
        </summary>
        <div className="form attempt-body">
          {failure === null ? null : <p className="bad wrap">{failureSentences(failure, status, failureDetail)}</p>}
          <Facts
            facts={[
              ['Sent', <FullMoment key="at" at={attempt.startedAt} />],
              ...(peerAddress === null ? [] : [['To the address', <code key="peer">{peerAddress}</code>] as const]),
              ...(isProbe ? [['Why', 'to see whether the endpoint is back'] as const] : []),
            ]}
          />
          <Timing attempt={attempt} />
          <Answer attempt={attempt} />
          <Headers title="Request headers" headers={attempt.requestHeaders} />
          <Headers title="Response headers" headers={attempt.responseHeaders} />
        </div>
      </details>
    </li>
  );
}

// Helpers

function Answer({ attempt: { responseBody, isResponseCut, status } }: AttemptPart) {
  if (status === null) return null;
  return (
    <div className="stack">
      <h3>What your server answered{isResponseCut ? ' (its beginning)' : ''}</h3>
      {responseBody === null || responseBody === '' ? (
        <p className="soft">Nothing but the status.</p>
      ) : (
        <Snippet label="the answer">{responseBody}</Snippet>
      )}
    </div>
  );
}

interface AttemptPart {
  readonly attempt: AttemptInfo;
}

function Headers({ title, headers }: { readonly title: string; readonly headers: AttemptInfo['requestHeaders'] }) {
  if (headers === null) return null;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <details>
      <summary>
        {title} ({lines.length})
      </summary>
      <Snippet label={title.toLowerCase()}>{lines.join('\n')}</Snippet>
    </details>
  );
}
