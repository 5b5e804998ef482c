import { useEffect } from 'react';
import type { ReplayInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useCancelReplay, useReplay } from '../../../api/endpoints.ts';
import { refresh } from '../../../api/queries.ts';
import { toast } from '../../../state/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { toastError } from '../../../ui/problem.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { FullTimestamp, Timestamp } from '../../../ui/values/timestamp.tsx';
import { countText } from '../../../ui/values/word-text.ts';

interface ReplayProgressProps {
  readonly known: ReplayInfo;
  readonly isOwner: boolean;
}

/** Progress or result of the newest replay. */
export function ReplayProgress({ known, isOwner }: ReplayProgressProps) {
  const { data: replay } = useReplay(known);
  const cancel = useCancelReplay();
  const hasEnded = known.state === 'running' && replay.state !== 'running';
  // Refresh the delivery log, which shows what was sent, even with live updates switched off.
  useEffect(() => {
    if (hasEnded) void refresh('/merchant/webhooks');
  }, [hasEnded]);
  const { state, since, until, createdAt, onlyFailed, eventsSeen, eventsSent, eventsTotal, endedAt } = replay;
  const sent = countText(eventsSent, 'event');
  const what = onlyFailed ? 'Failed deliveries' : 'Missed events';
  if (state !== 'running') {
    return (
      <p className="card-bar soft">
        {state === 'done' ? what : `Replay stopped. ${what}`} since <FullTimestamp at={since} />
        {until === createdAt ? null : ' until '}
        {until === createdAt ? null : <FullTimestamp at={until} />}
        {state === 'done' ? ' were checked' : ' were checked up to there'}
        {endedAt === null ? '' : ' '}
        {endedAt === null ? null : <Timestamp at={endedAt} />}: {sent} sent.
      </p>
    );
  }
  return (
    <div className="card-bar form">
      <p>
        Replaying {onlyFailed ? 'failed deliveries' : 'missed events'} since <FullTimestamp at={since} />
        {until === createdAt ? null : ' until '}
        {until === createdAt ? null : <FullTimestamp at={until} />}: {sent} so far.
      </p>
      {eventsTotal === null ? (
        <p className="soft">{eventsSeen.toLocaleString('en')} events checked</p>
      ) : (
        <Progress label="Events checked" done={Math.min(eventsSeen, eventsTotal)} total={eventsTotal} />
      )}
      {isOwner ? (
        <div className="button-row">
          <Button
            isBusy={cancel.isPending}
            onClick={() =>
              cancel.mutate(replay.id, {
                onSuccess: () => toast('Stopped. Deliveries that have already started continue.'),
                onError: toastError,
              })
            }
          >
            Stop replay
          </Button>
        </div>
      ) : null}
    </div>
  );
}
