import { encodeQR } from 'qr';
import { type Html, html } from './html.ts';

/** ISO/IEC 18004 requires four light modules around the code. */
const QUIET_ZONE_MODULES = 4;

/**
 * A QR code as SVG, black on white in every colour scheme, because many scanners cannot read
 * an inverted one. Each run of dark modules is one stroke, which takes a fifth of the bytes
 * of one square per module.
 */
export function qrCode(text: string, label: string): Html {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE_MODULES });
  const size = rows.length;
  const path = rows.map((row, y) => strokesOf(row, y)).join('');
  return html`<svg class="code" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#000" d="${path}"/></svg>`;
}

// Helpers

function strokesOf(row: readonly boolean[], y: number): string {
  let strokes = '';
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const from = x;
    while (row[x + 1]) x += 1;
    strokes += `M${from} ${y}.5h${x - from + 1}`;
  }
  return strokes;
}
