import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { PICTURES } from './pictures.ts';
import { startShop } from './shop.ts';

const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Opens Debian's Chromium. Throws when it is not installed. */
async function openBrowser(): Promise<Browser> {
  const executablePath = PROGRAMS.find(existsSync);
  if (executablePath === undefined) throw new Error('Chromium is not installed. Run: npm run setup:tests');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'] });
}

/**
 * `npm run screenshots` takes the screenshots for the README into `docs/images`: a separate demo
 * service with some payments, in Chromium. Next to each picture is the text it shows, without
 * figures that change; `--check` compares only that text, because pixels differ between browser
 * versions. Exits 1 when a picture is out of date.
 */
const FOLDER = 'docs/images';
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

const shop = await startShop();
const browser = await openBrowser();
try {
  await mkdir(FOLDER, { recursive: true });
  for (const picture of PICTURES) {
    const page = await browser.newPage({ viewport: picture.viewport, locale: 'en-GB', timezoneId: 'UTC' });
    await picture.open(page, shop);
    const path = `${FOLDER}/${picture.name}`;
    const text = withoutFigures(await page.locator('main').innerText());
    if (values.check) await compare(`${path}.txt`, text);
    else {
      await page.screenshot({ path: `${path}.png` });
      await writeFile(`${path}.txt`, text);
      console.log(`${path}.png written`);
    }
    await page.close();
  }
} finally {
  await browser.close();
  await shop.stop();
}

// Helpers

async function compare(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => null)) === text) {
    console.log(`${path} is up to date`);
    return;
  }
  console.error(`${path} is out of date. Run: npm run screenshots`);
  process.exitCode = 1;
}

/** Ids, addresses, dates and amounts are different in each run; the words are not. */
function withoutFigures(text: string): string {
  const lines = text
    .replace(/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b/g, '#')
    .replace(/\S*\d\S*|\b\w{20,}\b/g, '#')
    .replace(/#(?:\s*#)+/g, '#')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return `${lines.join('\n')}\n`;
}
