import '../../../styles/actor.css';
import type { EventPreview } from '../../../../http/console/operator/schemas.ts';
import { Badge, toneOf } from '../../../ui/badge.tsx';
import { Diff } from '../../../ui/values/diff.tsx';
import { CoinContext } from '../../../ui/values/json-tree.tsx';
import { Effects } from './step-tabs.tsx';

interface PreviewOfProps {
  readonly preview: EventPreview;
  /** The current state. */
  readonly from: string;
}

/** The result of sending an event, as the chart computes it. */
export function PreviewOf({ preview, from }: PreviewOfProps) {
  const { isTaken, state, changes, effects, webhooks, coin } = preview;
  if (!isTaken)
    return <p className="notice">The chart ignores this event in the current state: nothing would change.</p>;
  return (
    <section className="preview" aria-label="Preview">
      <p className="preview-states">
        <Badge tone={toneOf(from)}>{from}</Badge>
        {state === from ? <span className="soft">stays in its state</span> : <span aria-hidden="true">→</span>}
        {state === from ? null : <Badge tone={toneOf(state)}>{state}</Badge>}
      </p>
      <p>
        {webhooks.length === 0 ? (
          <span className="soft">No webhook is sent.</span>
        ) : (
          <>
            Webhooks:{' '}
            {webhooks.map((webhook) => (
              <code key={webhook}>{webhook} </code>
            ))}
          </>
        )}
      </p>
      <details>
        <summary>{`${changes.length} changes, ${effects.length} effects`}</summary>
        <div className="preview-details">
          <CoinContext value={coin}>
            <Diff changes={changes} />
            <Effects effects={effects} />
          </CoinContext>
        </div>
      </details>
    </section>
  );
}
