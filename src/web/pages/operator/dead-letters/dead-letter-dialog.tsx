import type { DeadLetterInfo } from '../../../../http/console/operator/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { DetailList } from '../../../ui/card.tsx';
import { Dash } from '../../../ui/lists/table.tsx';
import { JsonTree } from '../../../ui/values/json-tree.tsx';
import { FullTimestamp, Timestamp } from '../../../ui/values/timestamp.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { ResolveDeadLetter } from './resolve-dead-letter.tsx';

interface DeadLetterDialogProps {
  /** Null while it is closed. */
  readonly letter: DeadLetterInfo | null;
  /** Observers can read it and do nothing about it. */
  readonly mayAct: boolean;
  close(): void;
}

/** One dead letter: its error, its payload, and the form that retries or dismisses it. */
export function DeadLetterDialog({ letter, mayAct, close }: DeadLetterDialogProps) {
  return (
    <Dialog title="Dead letter" isWide isOpen={letter !== null} close={close}>
      {letter === null ? null : <Letter letter={letter} />}
      {letter === null || !mayAct ? null : <ResolveDeadLetter key={letter.id} id={letter.id} done={close} />}
    </Dialog>
  );
}

/** When a dead letter is retried automatically, and how often it was. */
export function AutomaticRetry({ letter: { retries, retryAt } }: { readonly letter: DeadLetterInfo }) {
  const past = retries === 0 ? null : <span className="soft">{`${retries} so far`}</span>;
  if (retryAt === null) return past ?? <Dash />;
  return (
    <>
      <Timestamp at={retryAt} /> {past}
    </>
  );
}

// Helpers

function Letter({ letter }: { readonly letter: DeadLetterInfo }) {
  return (
    <>
      <p className="notice">
        <span className="wrap">{letter.reason}</span>
      </p>
      <DetailList
        items={[
          ['When', <FullTimestamp key="at" at={letter.at} />],
          ['Automatic retry', <AutomaticRetry key="retry" letter={letter} />],
          ['Queue', letter.queue],
          ['Actor', letter.actorId === null ? 'none' : <ActorLink key="actor" id={letter.actorId} />],
        ]}
      />
      <h3 className="side-title">Payload</h3>
      <JsonTree value={letter.data} openLevels={3} />
    </>
  );
}

function ActorLink({ id }: { readonly id: string }) {
  return (
    <Link href={hrefOf('actor', { id })} className="mono">
      {id}
    </Link>
  );
}
