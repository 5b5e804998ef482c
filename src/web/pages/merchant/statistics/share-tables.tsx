import type { Statistics, StatsTotals } from '../../../../http/console/merchant/statistics/schemas.ts';
import { Amount } from '../../../ui/amount.tsx';
import { Card } from '../../../ui/card.tsx';

/** Payments by coin and by currency of the price. */
export function ShareTables({ byCoin, byCurrency }: Pick<Statistics, 'byCoin' | 'byCurrency'>) {
  return (
    <div className="columns-2">
      <ShareTable
        title="By coin"
        name="Coin"
        rows={byCoin.map(({ crypto, ...share }) => ({ key: crypto, ...share }))}
      />
      <ShareTable
        title="By currency of the price"
        name="Currency"
        rows={byCurrency.map(({ currency, ...share }) => ({ key: currency, ...share }))}
      />
    </div>
  );
}

// Helpers

interface ShareRow extends StatsTotals {
  readonly key: string;
  /** In the row's currency. */
  readonly volume?: string;
}

interface ShareTableProps {
  readonly title: string;
  readonly name: string;
  readonly rows: readonly ShareRow[];
}

function ShareTable({ title, name, rows }: ShareTableProps) {
  const most = Math.max(...rows.map(({ volumeUsd }) => Number(volumeUsd)), 0);
  const hasOwnVolume = rows.some(({ volume }) => volume !== undefined);
  return (
    <Card title={title}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable without a mouse (axe: scrollable-region-focusable) */}
      <section className="table-frame" tabIndex={0} aria-label={title}>
        <table className="table share-table">
          <thead>
            <tr>
              <th scope="col">{name}</th>
              <th scope="col" className="right">
                Paid of created
              </th>
              {hasOwnVolume ? (
                <th scope="col" className="right secondary">
                  Volume
                </th>
              ) : null}
              <th scope="col" className="right">
                In US dollars
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, created, completed, volume, volumeUsd }) => (
              <tr key={key}>
                <th scope="row" className="share-name">
                  <span>{key}</span>
                  <span className="share-bar" aria-hidden="true">
                    <span style={{ width: `${most === 0 ? 0 : (Number(volumeUsd) / most) * 100}%` }} />
                  </span>
                </th>
                <td className="number right">
                  {completed.toLocaleString('en')} of {created.toLocaleString('en')}
                </td>
                {hasOwnVolume ? (
                  <td className="right secondary">
                    <Amount value={volume ?? '0'} currency={key} />
                  </td>
                ) : null}
                <td className="right">
                  <Amount value={volumeUsd} currency="USD" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}
