import { useState } from 'react';
import type { ChartVersion, MigrationDraft } from '../../../../http/console/operator/chart-activity-schemas.ts';
import { useChartVersions } from '../../../api/chart-activity.ts';
import { Await } from '../../../ui/await.tsx';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Column, Dash, Table } from '../../../ui/lists/table.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { MigrateChart } from './migrate-chart.tsx';

interface ChartVersionsProps {
  readonly kind: string;
  /** Observers can preview a migration, not start one. */
  readonly mayAct: boolean;
}

/**
 * Versions of a chart that are registered or in use. Counting them reads all actors, so it starts
 * only on request.
 */
export function ChartVersions({ kind, mayAct }: ChartVersionsProps) {
  const [isShown, setIsShown] = useState(false);
  const [draft, setDraft] = useState<MigrationDraft | null>(null);
  const versions = useChartVersions(kind, isShown);
  if (!isShown) {
    return (
      <Card title="Versions" actions={<Button onClick={() => setIsShown(true)}>Count actors by version</Button>}>
        <p className="soft">Actors keep the chart version they started with until they are migrated.</p>
      </Card>
    );
  }
  return (
    <Card title="Versions" className="card-flush">
      <Await query={versions} label="Loading actors by version" lines={2}>
        {(all) => (
          <Table
            label="Versions"
            rows={all}
            keyOf={({ version }) => version}
            columns={columnsFor(all.find(({ registered }) => registered === 'current')?.version ?? null, setDraft)}
          />
        )}
      </Await>
      <Dialog
        title={draft === null ? '' : `Migrate from version ${draft.from} to ${draft.to}`}
        isWide
        isOpen={draft !== null}
        close={() => setDraft(null)}
      >
        {draft === null ? null : (
          <MigrateChart kind={kind} draft={draft} mayAct={mayAct} close={() => setDraft(null)} />
        )}
      </Dialog>
    </Card>
  );
}

// Helpers

const REGISTERED: Readonly<Record<ChartVersion['registered'], readonly [word: string, tone: Tone]>> = {
  current: ['current', 'good'],
  kept: ['kept for its actors', 'quiet'],
  missing: ['not in this release', 'bad'],
};

function columnsFor(current: string | null, migrate: (draft: MigrationDraft) => void): readonly Column<ChartVersion>[] {
  return [
    { id: 'version', title: 'Version', cell: ({ version }) => version },
    {
      id: 'registered',
      title: 'In this release',
      isCut: true,
      cell: ({ registered }) => <Badge tone={REGISTERED[registered][1]}>{REGISTERED[registered][0]}</Badge>,
    },
    {
      id: 'unfinished',
      title: 'Unfinished actors',
      isNumber: true,
      cell: ({ unfinished }) => unfinished.toLocaleString('en'),
    },
    {
      id: 'finished',
      title: 'Finished',
      isNumber: true,
      isSecondary: true,
      cell: ({ finished }) => finished.toLocaleString('en'),
    },
    {
      id: 'migrate',
      title: 'Migration',
      isNumber: true,
      cell: ({ version, registered, unfinished }) =>
        current === null || registered !== 'kept' || unfinished === 0 ? (
          <Dash />
        ) : (
          <Button variant="quiet" onClick={() => migrate({ from: version, to: current })}>
            Migrate to {current}…
          </Button>
        ),
    },
  ];
}
