import { useStatistics } from '../../../api/statistics.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Await } from '../../../ui/await.tsx';
import { Card } from '../../../ui/card.tsx';
import { dollarsText, paymentsText, rateText, summaryText } from '../statistics/labels.ts';
import { lastDays } from '../statistics/period.ts';
import { SPARKLINE, sparklinePoints } from './sparkline.ts';

/** Completed volume per day of the last 30 days, and the share of payments that were completed. */
export function Month() {
  const month = useStatistics({ ...lastDays(30, Date.now()), interval: 'day' });
  return (
    <Card
      title="Last 30 days"
      className="month-card"
      actions={<Link href={hrefOf('statistics', {})}>View statistics</Link>}
    >
      <Await query={month} label="Counting the payments of 30 days" lines={2}>
        {(data) => (
          <div className="month">
            <p>
              <span className="figure number">{dollarsText(data.totals.volumeUsd)}</span>
              <br />
              <span className="soft">completed volume</span>
            </p>
            <p>
              <span className="figure number">{rateText(data.totals.conversionRate)}</span>
              <br />
              <span className="soft">of {paymentsText(data.totals.created)} completed</span>
            </p>
            <svg
              className="sparkline"
              role="img"
              aria-label={`Completed volume per day. ${summaryText(data, 'day')}`}
              viewBox={`0 -2 ${SPARKLINE.width} ${SPARKLINE.height + 4}`}
              preserveAspectRatio="none"
            >
              <polyline points={sparklinePoints(data.series.map(({ volumeUsd }) => Number(volumeUsd)))} />
            </svg>
          </div>
        )}
      </Await>
    </Card>
  );
}
