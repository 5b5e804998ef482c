import type { CryptoSymbol } from '../../../../machines/index.ts';
import type { Mode } from '../../contract/desk.ts';
import type {
  AddressType,
  AttachBody,
  AttachedWallets,
  PreviewBody,
  SkipBody,
  SkippedAddresses,
  WalletList,
  WalletPreview,
} from '../../contract/wallets.ts';
import type { Member } from '../member.ts';

/**
 * The wallets of a member's merchant. Rejects with a `TerminalError`: `PRIVATE_KEY_REFUSED` for a
 * private key or seed phrase, `INVALID_EXTENDED_KEY`, `ADDRESS_MISMATCH`, `WALLET_EXISTS`,
 * `WALLET_OF_OTHER_MODE`, `WALLET_SHARED`, `WALLET_NOT_FOUND`, also for another merchant's.
 */
export interface WalletsDesk {
  list(member: Member): Promise<WalletList>;
  preview(request: WantedPreview): Promise<WalletPreview>;
  attach(member: Member, request: WantedWallets): Promise<AttachedWallets>;
  skip(member: Member, walletId: string, request: SkipBody): Promise<SkippedAddresses>;
}

export interface WantedPreview extends Omit<PreviewBody, 'mode' | 'crypto' | 'addressType'> {
  readonly mode: Mode;
  readonly crypto: CryptoSymbol;
  readonly addressType: AddressType | undefined;
}

export interface WantedWallets extends Omit<AttachBody, 'mode' | 'cryptos' | 'isMatching'> {
  readonly mode: Mode;
  readonly cryptos: readonly CryptoSymbol[];
}
