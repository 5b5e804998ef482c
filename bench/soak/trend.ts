/** Whether a quantity grows. */
export interface Trend {
  /** Slope of the least-squares line. */
  readonly perHour: number;
  /** Growth along that line from the first to the last reading, as a share of the mean. */
  readonly shareOfMean: number;
  /** Distance of the slope from zero, in its standard errors. */
  readonly sigmas: number;
  readonly grows: boolean;
}

export interface Point {
  readonly minutes: number;
  readonly value: number;
}

/** A slope must be this many standard errors above zero … */
const MIN_SIGMAS = 3;
/** … and have added this share over the run, to count as growth. */
const MIN_SHARE = 0.02;

/**
 * Fits a least-squares line through the readings. It grows when both hold: the slope is more than
 * three of its standard errors above zero, and the line gains more than 2 % of the mean. The first
 * alone would call the smallest steady drift growth, the second alone any noise.
 */
export function trendOf(points: readonly Point[]): Trend {
  const count = points.length;
  const meanX = points.reduce((sum, { minutes }) => sum + minutes, 0) / count;
  const meanY = points.reduce((sum, { value }) => sum + value, 0) / count;
  const spread = points.reduce((sum, { minutes }) => sum + (minutes - meanX) ** 2, 0);
  const slope = points.reduce((sum, { minutes, value }) => sum + (minutes - meanX) * (value - meanY), 0) / spread;
  const residue = points.reduce((sum, { minutes, value }) => sum + (value - meanY - slope * (minutes - meanX)) ** 2, 0);
  const standardError = Math.sqrt(residue / Math.max(1, count - 2) / spread);
  const span = (points.at(-1)?.minutes ?? 0) - (points[0]?.minutes ?? 0);
  const shareOfMean = meanY === 0 ? 0 : (slope * span) / meanY;
  const sigmas = standardError === 0 ? (slope === 0 ? 0 : Number.POSITIVE_INFINITY) : slope / standardError;
  return { perHour: slope * 60, shareOfMean, sigmas, grows: sigmas > MIN_SIGMAS && shareOfMean > MIN_SHARE };
}
