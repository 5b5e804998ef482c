/** How a coin's serialisation differs from that of original Bitcoin (2009). */
export interface RawFormat {
  /** BIP 144 marker, flag and witnesses. */
  readonly segwit: boolean;
  /** Litecoin MWEB (LIP 2-4): transaction flag 0x08, extension block after the transactions. */
  readonly mweb: boolean;
  /** Merged mining: an AuxPoW proof follows the header when version bit 0x100 is set. */
  readonly auxPow: boolean;
  /** Dash DIP 2: the upper 16 version bits are a type; typed transactions end with a payload. */
  readonly specialTransactions: boolean;
}

const plain: RawFormat = { segwit: false, mweb: false, auxPow: false, specialTransactions: false };

export const BITCOIN_FORMAT: RawFormat = { ...plain, segwit: true };
export const LITECOIN_FORMAT: RawFormat = { ...plain, segwit: true, mweb: true };
export const DOGECOIN_FORMAT: RawFormat = { ...plain, auxPow: true };
export const DASH_FORMAT: RawFormat = { ...plain, specialTransactions: true };
