import type { ReactNode } from 'react';
import type { Statistics } from '../../../../http/console/merchant/statistics/schemas.ts';
import { Card } from '../../../ui/card.tsx';
import { changeText, dollarsText, pointsText, rateText, secondsText } from './labels.ts';

interface TotalsProps {
  readonly now: Statistics;
  /** The previous period; undefined while it is fetched. */
  readonly before: Statistics | undefined;
}

/** The totals of a period, each compared with the previous period. */
export function Totals({ now, before }: TotalsProps) {
  const [totals, old] = [now.totals, before?.totals];
  const count = (value: number) => value.toLocaleString('en');
  return (
    <div className="statistics-numbers">
      <Figure
        name="Volume"
        value={dollarsText(totals.volumeUsd)}
        change={old === undefined ? null : changeText(Number(totals.volumeUsd), Number(old.volumeUsd))}
      />
      <Figure
        name="Payments paid"
        value={count(totals.completed)}
        change={old === undefined ? null : changeText(totals.completed, old.completed)}
      />
      <Figure
        name="Payments created"
        value={count(totals.created)}
        change={old === undefined ? null : changeText(totals.created, old.created)}
      />
      <Figure
        name="Conversion rate"
        value={rateText(totals.conversionRate)}
        change={old === undefined ? null : pointsText(totals.conversionRate, old.conversionRate)}
      />
      <Figure
        name="Average payment"
        value={dollarsText(totals.averageUsd)}
        change={old === undefined ? null : changeText(numberOf(totals.averageUsd), numberOf(old.averageUsd))}
      />
      <Figure
        name="Time until coins are seen"
        about="Median"
        value={secondsText(now.medianSecondsToFirstPayment)}
        change={changeText(now.medianSecondsToFirstPayment, before?.medianSecondsToFirstPayment ?? null)}
      />
      <Figure
        name="Time until paid"
        about="Median"
        value={secondsText(now.medianSecondsToComplete)}
        change={changeText(now.medianSecondsToComplete, before?.medianSecondsToComplete ?? null)}
      />
      <Figure
        name="Not paid"
        about={`${count(totals.partial)} partly paid, ${count(totals.failed)} failed, ${count(totals.paidLate)} paid late`}
        value={`${count(totals.expired)} expired`}
        change={old === undefined ? null : changeText(totals.expired, old.expired)}
      />
    </div>
  );
}

// Helpers

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly about?: ReactNode;
  readonly change: string | null;
}

function Figure({ name, value, about, change }: FigureProps) {
  return (
    <Card className="statistic">
      <h2 className="statistic-name">{name}</h2>
      <p className="statistic-value number">{value}</p>
      {about === undefined ? null : <p className="statistic-about">{about}</p>}
      <p className="statistic-about">{change ?? '\u00a0'}</p>
    </Card>
  );
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text);
}
