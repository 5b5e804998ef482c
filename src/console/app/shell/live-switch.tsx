import { refreshAfter } from '../api/desk.ts';
import { type LiveState, useLive } from '../api/live.ts';
import { showChanges } from '../api/operator.ts';
import { useShortcut } from '../state/shortcuts.ts';
import { useView, viewStore } from '../state/view-store.ts';
import { Button } from '../ui/button.tsx';

/** Switches live updates, and shows whether their stream is connected. */
export function LiveSwitch({ isOfMerchant }: { readonly isOfMerchant: boolean }) {
  const isLive = useView('isLive');
  const state = useLive(isOfMerchant ? '/merchant/live' : '/live', isOfMerchant ? refreshAfter : showChanges);
  const toggle = () => viewStore.trigger.liveToggled();
  useShortcut('l', 'Follow live, or stand still', toggle);
  return (
    <Button look="quiet" className="live" aria-pressed={isLive} title={`${SAYINGS[state]} (l)`} onClick={toggle}>
      <span className={`live-dot live-dot-${state}`} />
      Live
      <span className="unseen">: {SAYINGS[state]}</span>
    </Button>
  );
}

// Helpers

const SAYINGS: Readonly<Record<LiveState, string>> = {
  off: 'Pages stand still',
  connecting: 'Connecting',
  on: 'Pages follow what happens',
  lost: 'The connection is lost and tried again',
};
