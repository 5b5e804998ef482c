import type { ReactNode } from 'react';
import type { Overview, PlanUsage, StatsTotals } from '../../../../http/console/merchant/overview/schemas.ts';
import { useNeedsAttentionCount } from '../../../api/attention.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Progress } from '../../../ui/progress.tsx';
import { dayText } from '../../../ui/values/time-text.ts';
import { amountsText, paidText } from '../statistics/labels.ts';

export function Numbers({ overview }: { readonly overview: Overview }) {
  const open = useNeedsAttentionCount().data?.open;
  return (
    <div className="numbers">
      <Figure name="Today" note="Since midnight UTC">
        <Took sums={overview.today} />
      </Figure>
      <Figure name="Last 7 days" note="Including today, in UTC">
        <Took sums={overview.week} />
      </Figure>
      <Figure name="Needs attention" note={attentionText(open)}>
        <Link className="figure number" href={hrefOf('needsAttention', {})}>
          {open ?? '–'}
        </Link>
      </Figure>
      <Figure name="Plan" note={<Renewal usage={overview.usage} />}>
        <Usage usage={overview.usage} />
      </Figure>
    </div>
  );
}

// Helpers

function attentionText(open: number | undefined): string {
  if (open === 0) return 'Nothing to review';
  return open === 1 ? 'item to review' : 'items to review';
}

function Figure({
  name,
  note,
  children,
}: {
  readonly name: string;
  readonly note: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="card figure-card">
      <h2>{name}</h2>
      {children}
      <p className="soft">{note}</p>
    </section>
  );
}

function Took({ sums }: { readonly sums: StatsTotals }) {
  return (
    <p>
      <span className="figure number">{amountsText(sums.volumes)}</span>
      <br />
      <span className="number">{paidText(sums)}</span>
    </p>
  );
}

function Usage({ usage: { used, limit } }: { readonly usage: PlanUsage }) {
  if (limit !== null) return <Progress label="Payments this month" done={used} total={limit} />;
  return <p className="figure number">{used.toLocaleString('en')}</p>;
}

function Renewal({ usage: { limit, resetsAt } }: { readonly usage: PlanUsage }) {
  return (
    <>
      payments completed this month, without simulated ones{limit === null ? ' (unlimited)' : ''}. Resets on{' '}
      {dayText(resetsAt)}. <Link href={hrefOf('plan', {})}>View plan</Link>
    </>
  );
}
