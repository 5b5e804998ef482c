/** Width and height of the drawing, in the units of its points. */
export const SPARKLINE = { width: 300, height: 40 } as const;

/**
 * The points of a line over values from zero to their maximum, at equal distances from left to
 * right: the `points` of an SVG polyline. Without a value above zero it lies at the bottom.
 */
export function sparklinePoints(values: readonly number[]): string {
  const most = Math.max(0, ...values);
  const step = values.length > 1 ? SPARKLINE.width / (values.length - 1) : 0;
  return values
    .map((value, index) => {
      const share = most === 0 ? 0 : value / most;
      return `${rounded(index * step)},${rounded(SPARKLINE.height * (1 - share))}`;
    })
    .join(' ');
}

// Helpers

function rounded(position: number): number {
  return Math.round(position * 100) / 100;
}
