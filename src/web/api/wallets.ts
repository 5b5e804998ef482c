import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  AttachBody,
  AttachedWallets,
  PreviewBody,
  SkipBody,
  SkippedAddresses,
  WalletList,
  WalletPreview,
} from '../../http/console/merchant/wallets/schemas.ts';
import { read, useChange } from './queries.ts';
import { API, type AsText, request } from './request.ts';

const WALLETS = '/merchant/wallets';

/** One page shows the wallets of both modes, so the query has no mode. */
export function useWallets() {
  return useQuery(read<WalletList>(WALLETS));
}

/** The URL of all taken addresses of a wallet as a file. */
export function addressesFileHref(walletId: string): string {
  return `${API}${WALLETS}/${encodeURIComponent(walletId)}/addresses.csv`;
}

/**
 * Derives the addresses of a key. Neither the server nor, after the page is left, the browser
 * stores anything.
 */
export function usePreviewWallet() {
  return useMutation({
    mutationFn: (body: AsText<PreviewBody, 'crypto'>) => request<WalletPreview>('POST', `${WALLETS}/preview`, body),
    gcTime: 0,
  });
}

export function useAttachWallet() {
  return useChange(
    (body: AsText<AttachBody, 'cryptos'>) => request<AttachedWallets>('POST', WALLETS, body),
    [WALLETS, '/merchant/overview', '/merchant/audit'],
    { gcTime: 0 },
  );
}

export function useSkipAddresses() {
  return useChange(
    ({ id, ...body }: SkipBody & { readonly id: string }) =>
      request<SkippedAddresses>('POST', `${WALLETS}/${encodeURIComponent(id)}/skip`, body),
    [WALLETS, '/merchant/audit'],
  );
}
