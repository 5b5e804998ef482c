import type { ReactNode } from 'react';
import type { Statistics } from '../../../../http/console/merchant/statistics/schemas.ts';
import { Card } from '../../../ui/card.tsx';
import { AmountLines } from './amount-lines.tsx';
import {
  amountsText,
  changeText,
  endedText,
  openText,
  pointsText,
  rateText,
  secondsText,
  soleCurrency,
  volumeIn,
} from './labels.ts';

interface TotalsProps {
  readonly now: Statistics;
  /** The previous period; undefined while it is fetched. */
  readonly before: Statistics | undefined;
}

/** The totals of a period, each compared with the previous period. */
export function Totals({ now, before }: TotalsProps) {
  const [totals, old] = [now.totals, before?.totals];
  const count = (value: number) => value.toLocaleString('en');
  const currency = soleCurrency(totals, ...(old === undefined ? [] : [old]));
  const averages = now.byCurrency.flatMap((each) => (each.average === null ? [] : [{ ...each, amount: each.average }]));
  return (
    <div className="statistics-numbers">
      <Figure
        name="Volume"
        value={<AmountLines amounts={totals.volumes} />}
        change={old === undefined ? null : changeText(volumeIn(totals, currency), volumeIn(old, currency))}
      />
      <Figure
        name="Payments paid"
        value={count(totals.completed)}
        change={old === undefined ? null : changeText(totals.completed, old.completed)}
      />
      <Figure
        name="Payments created"
        about={openText(totals)}
        value={count(totals.created)}
        change={old === undefined ? null : changeText(totals.created, old.created)}
      />
      <Figure
        name="Conversion rate"
        about={endedText(totals)}
        value={rateText(totals.conversionRate)}
        change={old === undefined ? null : pointsText(totals.conversionRate, old.conversionRate)}
      />
      <Figure
        name="Average payment"
        value={averages.length === 0 ? rateText(null) : <AmountLines amounts={averages} />}
        change={before === undefined ? null : changeText(averageIn(now, currency), averageIn(before, currency))}
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
        about={unpaidText(now)}
        value={count(unpaidOf(totals))}
        change={old === undefined ? null : changeText(unpaidOf(totals), unpaidOf(old))}
      />
    </div>
  );
}

// Helpers

interface FigureProps {
  readonly name: string;
  readonly value: ReactNode;
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

/** Ended without a payment that lasts. */
function unpaidOf({ created, completed, open }: Statistics['totals']): number {
  return created - completed - open;
}

/** What was paid and is gone is named with its amount: the books had it. */
function unpaidText({ totals, byCurrency }: Statistics): string {
  const { expired, paidLate, failed, gone } = totals;
  const ended = `${(expired - paidLate).toLocaleString('en')} expired, ${failed.toLocaleString('en')} failed`;
  if (gone === 0) return ended;
  const lost = byCurrency.filter((each) => each.gone > 0).map((each) => ({ ...each, amount: each.goneVolume }));
  return `${ended}, ${gone.toLocaleString('en')} with coins gone (${amountsText(lost)})`;
}

function averageIn({ totals, byCurrency }: Statistics, currency: ReturnType<typeof soleCurrency>): number | null {
  const average =
    currency === null ? totals.averageUsd : byCurrency.find((each) => each.currency === currency)?.average;
  return average === null || average === undefined ? null : Number(average);
}
