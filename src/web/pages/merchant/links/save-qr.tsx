import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../ui/button.tsx';
import { toastError } from '../../../ui/problem.tsx';
import { drawQr } from '../../../ui/qr-code.tsx';
import { saveFile } from '../../../ui/save-file.ts';

/**
 * Saves the QR code of a text as a file: PNG for documents and chats, SVG for print of any size.
 */
export function SaveQr({ text, name }: { readonly text: string; readonly name: string }) {
  const save = useMutation({
    mutationFn: async (form: keyof typeof FORMS) => saveFile(`${name}.${form}`, await FORMS[form](text)),
    onError: toastError,
  });
  return (
    <p className="links-files">
      <Button onClick={() => save.mutate('png')}>Save as PNG</Button>
      <Button onClick={() => save.mutate('svg')}>Save as SVG</Button>
    </p>
  );
}

// Helpers

const FORMS = { png: pngOf, svg: svgOf };

/** Sharp up to some 8 cm in print at 300 dots per inch. */
const MIN_PIXELS = 1_000;

/** Whole pixels for each module, so that no edge is blurred. Throws where canvases are blocked. */
async function pngOf(text: string): Promise<Blob> {
  const { size, path } = drawQr(text);
  const scale = Math.ceil(MIN_PIXELS / size);
  const canvas = document.createElement('canvas');
  canvas.width = size * scale;
  canvas.height = size * scale;
  const context = canvas.getContext('2d');
  if (context === null) throw noPng();
  context.scale(scale, scale);
  context.fillStyle = '#fff';
  context.fillRect(0, 0, size, size);
  context.fillStyle = '#000';
  context.fill(new Path2D(path));
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(noPng()) : resolve(blob)), 'image/png');
  });
}

function noPng(): Error {
  return new Error('This browser cannot create a PNG: save the SVG instead');
}

async function svgOf(text: string): Promise<Blob> {
  const { size, path } = drawQr(text);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>\n`;
  return new Blob([drawing], { type: 'image/svg+xml' });
}
