import decodeQR from 'qr/decode.js';

const PIXELS_PER_MODULE = 4;

/** Draws a QR code and reads it as a scanner would. */
export function scan(svg: string): string {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const side = size * PIXELS_PER_MODULE;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)\.5h(\d+)/g)) {
    for (let row = Number(y) * PIXELS_PER_MODULE; row < (Number(y) + 1) * PIXELS_PER_MODULE; row += 1) {
      const from = (row * side + Number(x) * PIXELS_PER_MODULE) * 4;
      for (let byte = from; byte < from + Number(length) * PIXELS_PER_MODULE * 4; byte += 4) {
        data.fill(0, byte, byte + 3);
      }
    }
  }
  return decodeQR({ width: side, height: side, data });
}

/** The contents of a page's QR codes, in order. */
export function codesOf(page: string): string[] {
  return (page.match(/<svg class="code".*?<\/svg>/gs) ?? []).map(scan);
}
