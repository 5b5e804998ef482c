import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { drawPictures } from '../support/charts/draw-pictures.ts';

describe('the pictures of the documentation', () => {
  it('are what the charts look like now; when not: npm run charts', async () => {
    const pictures = await drawPictures();
    expect(pictures.map(({ kind }) => kind)).toEqual(['transaction', 'delivery', 'schedule']);
    for (const { kind, svg } of pictures) {
      const committed = await readFile(new URL(`../../docs/charts/${kind}.svg`, import.meta.url), 'utf8');
      expect(committed === svg, `docs/charts/${kind}.svg agrees`).toBe(true);
    }
  }, 180_000);
});
