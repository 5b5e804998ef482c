import type { SystemHealth } from '../../../../http/console/operator/schemas.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { Timestamp } from '../../../ui/values/timestamp.tsx';

/** The watched networks: how far each is, and why the newest poll of one failed. */
export function Networks({ chains }: Pick<SystemHealth, 'chains'>) {
  return (
    <Card id="networks" title="Networks">
      {chains.length === 0 ? <EmptyState title="No live networks" /> : null}
      <ul className="lines">
        {chains.map((chain) => (
          <li key={chain.network} className="line">
            <div className="line-main">
              <p>
                <strong>{chain.network}</strong> <State chain={chain} />
              </p>
              <p className="soft number">
                {chain.tip === null ? 'tip unknown' : `tip ${chain.tip.toLocaleString('en')}`}
                {chain.lagBlocks === null ? '' : `, ${chain.lagBlocks.toLocaleString('en')} blocks behind`}
              </p>
              {chain.lastError === null ? null : <p className="soft wrap">{chain.lastError}</p>}
            </div>
            <span className="soft">
              {chain.syncedUntil === null ? 'never synced' : <Timestamp at={chain.syncedUntil} />}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

// Helpers

/** By the state of a watched network; an unknown state is shown as a warning. */
const TONES: Readonly<Record<string, Tone>> = {
  watching: 'good',
  catching_up: 'info',
  blind: 'bad',
  never_started: 'quiet',
};

function State({ chain: { state, lastError } }: { readonly chain: SystemHealth['chains'][number] }) {
  if (state === 'never_started' && lastError !== null) return <Badge tone="bad">Node does not respond</Badge>;
  return <Badge tone={TONES[state] ?? 'warn'}>{state.replaceAll('_', ' ')}</Badge>;
}
