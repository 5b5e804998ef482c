import type { AttemptInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';

/**
 * Timing of an attempt: a bar for each phase, proportional to its share. Phases that did not take
 * place are omitted.
 */
export function Timing({ attempt }: { readonly attempt: AttemptInfo }) {
  const parts = partsOf(attempt);
  if (parts.length === 0) return null;
  const total = Math.max(attempt.durationMs, 1);
  let before = 0;
  return (
    <dl className="timing" aria-label="Where the time went">
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

// Helpers

interface Part {
  readonly name: string;
  readonly ms: number;
}

/** The phases in order. After the first byte, the rest is reading the response. */
function partsOf({ durationMs, timing: { dnsMs, connectMs, tlsMs, firstByteMs } }: AttemptInfo): readonly Part[] {
  const known = [
    part('Finding the address', dnsMs),
    part('Connecting', connectMs),
    part('Agreeing on encryption', tlsMs),
    part('Waiting for your server', firstByteMs),
  ].flat();
  const rest = durationMs - known.reduce((sum, { ms }) => sum + ms, 0);
  return firstByteMs === null || rest <= 0 ? known : [...known, { name: 'Reading the answer', ms: rest }];
}

function part(name: string, ms: number | null): readonly Part[] {
  return ms === null ? [] : [{ name, ms }];
}

/** Between 0 and 100 %: the phases are rounded separately. */
function share(ms: number, totalMs: number): string {
  return `${Math.min(100, (ms / totalMs) * 100).toFixed(2)}%`;
}
