import type { ActorDetail, StepDetail } from '../../../../http/console/operator/schemas.ts';
import { Card } from '../../../ui/card.tsx';
import { Diff } from '../../../ui/values/diff.tsx';
import { CoinContext } from '../../../ui/values/json-tree.tsx';

interface DriftProps extends Pick<ActorDetail, 'drift'> {
  readonly coin: StepDetail['coin'];
}

/** Where what is stored differs from the replay of the journal, path by path. */
export function Drift({ drift, coin }: DriftProps) {
  if (drift.length === 0) return null;
  return (
    <Card title="Differs from its journal">
      <p className="soft">
        Replaying the journal gives the values marked −; the stored values are marked +. Either the row was changed
        outside the engine, or the chart was changed without a new version.
      </p>
      <CoinContext value={coin}>
        <Diff changes={drift} />
      </CoinContext>
    </Card>
  );
}
