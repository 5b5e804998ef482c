import { encodeQR } from 'qr';

/** ISO/IEC 18004 requires four light modules around the code. */
const QUIET_ZONE_MODULES = 4;

/** A QR code without colours: its side in modules, and an SVG path of its dark modules. */
export interface QrDrawing {
  readonly size: number;
  readonly path: string;
}

/** The QR code of a text, with medium error correction: it is still read with 15 % of it covered. */
export function drawQr(text: string): QrDrawing {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE_MODULES });
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return { size: rows.length, path };
}
