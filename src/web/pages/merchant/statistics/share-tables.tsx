import type { Statistics, StatsTotals } from '../../../../http/console/merchant/statistics/schemas.ts';
import { Card } from '../../../ui/card.tsx';
import { TABLE_ROLES } from '../../../ui/lists/table.tsx';
import { Amount } from '../../../ui/values/amount.tsx';
import { AmountLines } from './amount-lines.tsx';

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
        title="By price currency"
        name="Currency"
        rows={byCurrency.map(({ currency, volume, ...share }) => ({
          key: currency,
          volumes: [{ currency, amount: volume }],
          ...share,
        }))}
        showsUsd
      />
    </div>
  );
}

// Helpers

interface ShareRow extends Omit<StatsTotals, 'open'> {
  readonly key: string;
}

interface ShareTableProps {
  readonly title: string;
  readonly name: string;
  readonly rows: readonly ShareRow[];
  readonly showsUsd?: boolean;
}

function ShareTable({ title, name, rows, showsUsd = false }: ShareTableProps) {
  const most = Math.max(...rows.map(({ volumeUsd }) => Number(volumeUsd)), 0);
  return (
    <Card title={title}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable without a mouse (axe: scrollable-region-focusable) */}
      <section className="table-frame" tabIndex={0} aria-label={title}>
        <table className="table share-table" {...TABLE_ROLES.table}>
          <thead {...TABLE_ROLES.rowgroup}>
            <tr {...TABLE_ROLES.row}>
              <th scope="col" {...TABLE_ROLES.columnheader}>
                {name}
              </th>
              <th scope="col" className="right" {...TABLE_ROLES.columnheader}>
                Paid of created
              </th>
              <th scope="col" className="right" {...TABLE_ROLES.columnheader}>
                Volume
              </th>
              {showsUsd ? (
                <th scope="col" className="right secondary" {...TABLE_ROLES.columnheader}>
                  In US dollars
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody {...TABLE_ROLES.rowgroup}>
            {rows.map(({ key, created, completed, volumes, volumeUsd }) => (
              <tr key={key} {...TABLE_ROLES.row}>
                <th scope="row" className="share-name" {...TABLE_ROLES.rowheader}>
                  <span>{key}</span>
                  <span className="share-bar" aria-hidden="true">
                    <span style={{ width: `${most === 0 ? 0 : (Number(volumeUsd) / most) * 100}%` }} />
                  </span>
                </th>
                <td className="number right" data-title="Paid of created" {...TABLE_ROLES.cell}>
                  {completed.toLocaleString('en')} of {created.toLocaleString('en')}
                </td>
                <td className="right" data-title="Volume" {...TABLE_ROLES.cell}>
                  <span>
                    <AmountLines amounts={volumes} />
                  </span>
                </td>
                {showsUsd ? (
                  <td className="right secondary" {...TABLE_ROLES.cell}>
                    <Amount value={volumeUsd} currency="USD" />
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}
