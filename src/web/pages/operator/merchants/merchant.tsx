import { useState } from 'react';
import type { MerchantDetail } from '../../../../http/console/operator/merchant-schemas.ts';
import { useMerchant } from '../../../api/merchants.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, DetailList } from '../../../ui/card.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { FullTimestamp } from '../../../ui/values/timestamp.tsx';
import { capitalized } from '../../../ui/values/word-text.ts';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { Approve } from './approve.tsx';
import { GivePlan } from './give-plan.tsx';
import { MerchantEndpoints, MerchantKeys, MerchantUsers, MerchantWallets } from './merchant-parts.tsx';
import { Usage } from './merchants.tsx';

interface MerchantPageProps {
  readonly id: string;
  /** Observers can read everything and change nothing. */
  readonly mayAct: boolean;
}

/** One merchant: its usage, its users, and its setup. */
export function MerchantPage({ id, mayAct }: MerchantPageProps) {
  const merchant = useMerchant(id);
  const [isGiving, setIsGiving] = useState(false);
  const [isApproving, setIsApproving] = useState(false);
  return (
    <Page
      title={merchant.data?.name ?? 'Merchant'}
      actions={
        mayAct && merchant.data !== undefined ? (
          <>
            {merchant.data.approvalPendingSince === null ? null : (
              <Button variant="main" onClick={() => setIsApproving(true)}>
                Approve
              </Button>
            )}
            <Button
              variant={merchant.data.approvalPendingSince === null ? 'main' : 'plain'}
              onClick={() => setIsGiving(true)}
            >
              Change plan
            </Button>
          </>
        ) : undefined
      }
    >
      <Await query={merchant} label="Loading the merchant" lines={12}>
        {(detail) => (
          <>
            <div className="columns-2">
              <About merchant={detail} />
              <Doings merchant={detail} />
              <MerchantUsers users={detail.users} />
              <MerchantKeys keys={detail.keys} />
              <MerchantWallets runs={detail.walletRuns} />
              <MerchantEndpoints
                endpoints={detail.endpointStates}
                linkTo={(deliveryId, text) => <Link href={hrefOf('actor', { id: deliveryId })}>{text}</Link>}
              />
            </div>
            <Dialog title={`Assign a plan to ${detail.name}`} isOpen={isGiving} close={() => setIsGiving(false)}>
              <GivePlan merchant={detail} close={() => setIsGiving(false)} />
            </Dialog>
            <Dialog title={`Approve ${detail.name}`} isOpen={isApproving} close={() => setIsApproving(false)}>
              <Approve merchant={detail} close={() => setIsApproving(false)} />
            </Dialog>
          </>
        )}
      </Await>
    </Page>
  );
}

// Helpers

function About({ merchant }: { readonly merchant: MerchantDetail }) {
  const { id, email, plan, cycle, usage, createdAt, approvalPendingSince } = merchant;
  return (
    <Card title="About">
      <DetailList
        items={[
          [
            'Id',
            <span key="id" className="mono">
              {id}
              <Copy text={id} label="the id" />
            </span>,
          ],
          ['Email', email],
          ['Plan', <PlanOf key="plan" plan={plan} cycle={cycle} />],
          ['Completed this month', <Usage key="usage" {...usage} />],
          ['Since', <FullTimestamp key="since" at={createdAt} />],
          ['Emails to customers', <EmailsToCustomers key="mails" pendingSince={approvalPendingSince} />],
        ]}
      />
    </Card>
  );
}

function EmailsToCustomers({ pendingSince }: { readonly pendingSince: number | null }) {
  if (pendingSince === null) return 'approved';
  return (
    <>
      <Badge tone="warn">not approved</Badge> signed up on <FullTimestamp at={pendingSince} />
    </>
  );
}

function PlanOf({ plan, cycle }: Pick<MerchantDetail, 'plan' | 'cycle'>) {
  return (
    <>
      {capitalized(plan.tier)}, {cycle === null ? 'assigned by an operator' : `bought ${cycle}`},{' '}
      {plan.expiresAt === null ? 'no end date' : <FullTimestamp at={plan.expiresAt} />}
    </>
  );
}

/** Pending decisions, recurring payment requests, and links to the merchant's actors. */
function Doings({
  merchant: { id, needsAttention, testNeedsAttention, schedules },
}: {
  readonly merchant: MerchantDetail;
}) {
  const all = Object.values(schedules).reduce((sum, count) => sum + count, 0);
  const words = Object.entries(schedules).map(([status, count]) => `${count} ${status.replaceAll('_', ' ')}`);
  return (
    <Card title="Activity">
      <DetailList
        items={[
          ['Needs attention', <Waiting key="waiting" count={needsAttention} />],
          testNeedsAttention === 0 ? null : ['Needs attention, test mode', testNeedsAttention.toLocaleString('en')],
          ['Recurring requests', all === 0 ? 'none' : words.join(', ')],
          ...KINDS.map(
            ([kind, name]) =>
              [
                name,
                <Link key={kind} href={hrefOf('actors', {}, { kind, merchant: id })}>
                  {`Show its ${name.toLowerCase()}`}
                </Link>,
              ] as const,
          ),
        ]}
      />
    </Card>
  );
}

function Waiting({ count }: { readonly count: number }) {
  return count === 0 ? 'none' : <Badge tone="warn">{count}</Badge>;
}

/** The kinds of actors that belong to a merchant. */
const KINDS = [
  ['transaction', 'Payments'],
  ['schedule', 'Schedules'],
  ['delivery', 'Deliveries'],
] as const;
