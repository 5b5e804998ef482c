import { encodeQR } from 'qr';
import { useMemo } from 'react';

/** A QR code, black on white in every theme: many scanners cannot read an inverted one. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => drawQr(text), [text]);
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}

/** ISO/IEC 18004 requires four light modules around the code. */
const QUIET_ZONE_MODULES = 4;

/** A QR code without colours: its side in modules, and an SVG path of its dark modules. */
interface QrDrawing {
  readonly size: number;
  readonly path: string;
}

/** The QR code of a text, with medium error correction: readable with 15 % of it covered. */
export function drawQr(text: string): QrDrawing {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE_MODULES });
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return { size: rows.length, path };
}
