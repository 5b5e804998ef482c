import type { SystemHealth } from '../../../../http/console/operator/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Since, Timestamp } from '../../../ui/values/timestamp.tsx';
import { type ItemToCheck, itemsToCheck, testItemsToCheck } from './items-to-check.ts';
import { isUnused } from './setup-gaps.tsx';

/** What an operator should check, each with one link to the list that shows it. */
export function ToCheck({ health }: { readonly health: SystemHealth }) {
  const items = itemsToCheck(health);
  if (items.length === 0) return <NothingToCheck at={health.at} isUsed={!isUnused(health.missing)} />;
  return (
    <Card
      title="To check"
      actions={
        <span className="soft">
          checked <Timestamp at={health.at} />
        </span>
      }
    >
      <ul className="lines">
        {items.map((item) => (
          <li key={item.title} className="line">
            <Row item={item} tone="bad" />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The same of test payments, apart from what is wrong. */
export function ToCheckInTestMode({ health }: { readonly health: SystemHealth }) {
  const items = testItemsToCheck(health);
  if (items.length === 0) return null;
  return (
    <Card title="Test mode">
      <ul className="lines">
        {items.map((item) => (
          <li key={item.title} className="line">
            <Row item={item} tone="quiet" />
          </li>
        ))}
      </ul>
    </Card>
  );
}

// Helpers

/** Without payments nothing can go wrong: that says nothing, and what is missing follows. */
function NothingToCheck({ at, isUsed }: { readonly at: number; readonly isUsed: boolean }) {
  if (!isUsed) return <p className="soft">No live payments yet. Complete the setup below.</p>;
  return (
    <p className="notice notice-good">
      <span>
        All good. Checked <Timestamp at={at} />
      </span>
    </p>
  );
}

interface RowProps {
  readonly item: ItemToCheck;
  readonly tone: Tone;
}

function Row({ item: { title, count, oldestAt, href }, tone }: RowProps) {
  return (
    <>
      <div className="line-main">
        {href.startsWith('#') ? <a href={href}>{title}</a> : <Link href={href}>{title}</Link>}
      </div>
      {oldestAt === null ? null : (
        <span className="soft">
          oldest <Since at={oldestAt} />
        </span>
      )}
      {count === null ? null : <Badge tone={tone}>{count.toLocaleString('en')}</Badge>}
    </>
  );
}
