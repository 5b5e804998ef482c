/** Merchant settings. Stored as JSON; absent fields take their default here. */
export interface MerchantSettings {
  /** How much of the amount due may be missing, in basis points of it (50 = 0.5 %). */
  readonly toleranceBasisPoints: number;
  /** Length of the payment window in minutes; null takes the coin's default. */
  readonly windowMinutes: number | null;
  /** Minimum confirmations; the amount may require more. */
  readonly minConfirmations: number;
  /** Whether live payments are refused while their network is not being watched. */
  readonly refuseWhenNetworkLags: boolean;
}

export const DEFAULT_SETTINGS: MerchantSettings = {
  toleranceBasisPoints: 50,
  windowMinutes: null,
  minConfirmations: 1,
  refuseWhenNetworkLags: false,
};

export const MAX_TOLERANCE_BASIS_POINTS = 500;
export const MIN_WINDOW_MINUTES = 10;
export const MAX_WINDOW_MINUTES = 1_440;
export const MAX_MIN_CONFIRMATIONS = 1_000;

/** Completes stored settings with the defaults. */
export function withDefaults(stored: Readonly<Record<string, unknown>>): MerchantSettings {
  return { ...DEFAULT_SETTINGS, ...(stored as Partial<MerchantSettings>) };
}
