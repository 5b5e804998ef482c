import type { AttemptInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { Badge } from '../../../ui/badge.tsx';
import { DetailList } from '../../../ui/card.tsx';
import { Snippet } from '../../../ui/snippet.tsx';
import { FullTimestamp } from '../../../ui/values/timestamp.tsx';
import { failureSentences } from './labels.ts';

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
            <Badge tone="good">{status ?? 'accepted'}</Badge>
          ) : (
            <Badge tone="bad">{status ?? 'no response'}</Badge>
          )}
          <span className="number soft">{durationMs.toLocaleString('en')} ms</span>
        </summary>
        <div className="form attempt-body">
          {failure === null ? null : <p className="bad wrap">{failureSentences(failure, status, failureDetail)}</p>}
          <DetailList
            items={[
              ['Sent', <FullTimestamp key="at" at={attempt.startedAt} />],
              peerAddress === null ? null : ['To the address', <code key="peer">{peerAddress}</code>],
              isProbe ? ['Why', 'to check whether the endpoint is back'] : null,
            ]}
          />
          <Timing attempt={attempt} />
          <ResponseBody attempt={attempt} />
          <Headers title="Request headers" headers={attempt.requestHeaders} />
          <Headers title="Response headers" headers={attempt.responseHeaders} />
        </div>
      </details>
    </li>
  );
}

// Helpers

function ResponseBody({ attempt: { responseBody, isResponseCut, status } }: AttemptPart) {
  if (status === null) return null;
  return (
    <div className="stack">
      <h3>What your server responded{isResponseCut ? ' (its beginning)' : ''}</h3>
      {responseBody === null || responseBody === '' ? (
        <p className="soft">The status only.</p>
      ) : (
        <Snippet label="the response">{responseBody}</Snippet>
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

/**
 * Timing of an attempt: a bar for each phase, proportional to its share. Phases that did not take
 * place are omitted.
 */
function Timing({ attempt }: { readonly attempt: AttemptInfo }) {
  const parts = partsOf(attempt);
  if (parts.length === 0) return null;
  const total = Math.max(attempt.durationMs, 1);
  let before = 0;
  return (
    <dl className="timing" aria-label="Timing">
      {parts.map(({ name, ms }) => {
        const start = before;
        before += ms;
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span className="timing-track" aria-hidden="true">
                <span
                  className="timing-bar"
                  style={{ marginInlineStart: share(start, total), inlineSize: share(ms, total) }}
                />
              </span>
              <span className="number soft">{ms.toLocaleString('en')} ms</span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface Part {
  readonly name: string;
  readonly ms: number;
}

/** The phases in order. After the first byte, the rest is reading the response. */
function partsOf({ durationMs, timing: { dnsMs, connectMs, tlsMs, firstByteMs } }: AttemptInfo): readonly Part[] {
  const known = [
    part('DNS lookup', dnsMs),
    part('Connecting', connectMs),
    part('TLS handshake', tlsMs),
    part('Waiting for your server', firstByteMs),
  ].flat();
  const rest = durationMs - known.reduce((sum, { ms }) => sum + ms, 0);
  return firstByteMs === null || rest <= 0 ? known : [...known, { name: 'Reading the response', ms: rest }];
}

function part(name: string, ms: number | null): readonly Part[] {
  return ms === null ? [] : [{ name, ms }];
}

/** Between 0 and 100 %: the phases are rounded separately. */
function share(ms: number, totalMs: number): string {
  return `${Math.min(100, (ms / totalMs) * 100).toFixed(2)}%`;
}
