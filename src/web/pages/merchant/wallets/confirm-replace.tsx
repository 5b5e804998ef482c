import '../../../styles/wallets.css';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import type { ChosenCoins } from './choose-coins.tsx';

interface ConfirmReplaceProps {
  readonly coins: ChosenCoins;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  replace(): void;
  close(): void;
}

/** Asks for confirmation when a wallet exists, and says what happens to it. */
export function ConfirmReplace({ coins, isOpen, isBusy, replace, close }: ConfirmReplaceProps) {
  return (
    <Dialog title="Replace the wallet in use?" isOpen={isOpen} close={close}>
      <p>
        You are paid in {coins.cryptos.join(', ')} to another wallet now. Once you replace it, new payments use
        addresses of the new wallet.
      </p>
      <ul className="bullets">
        <li>Earlier addresses stay watched, and payments to them are still recognised.</li>
        <li>Those coins arrive in the old wallet. Keep its recovery phrase.</li>
        <li>The change is recorded in the audit log.</li>
      </ul>
      <div className="button-row">
        <Button variant="danger" isBusy={isBusy} onClick={replace}>
          Replace wallet
        </Button>
        <Button onClick={close}>Keep the old one</Button>
      </div>
    </Dialog>
  );
}
