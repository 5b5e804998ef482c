/** What a merchant may tune. Stored as JSON; anything absent takes its default here. */
export interface MerchantSettings {
  /** How much of the amount due may be missing, in basis points of it (50 = 0.5 %). */
  readonly toleranceBasisPoints: number;
  /** Length of the payment window in minutes; null takes the coin's own. */
  readonly windowMinutes: number | null;
  /** Confirmations asked for at least; the amount may ask for more. */
  readonly minConfirmations: number;
  /** Whether live payments are refused while nobody looks at their network. */
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
