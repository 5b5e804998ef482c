import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Opens Debian's Chromium. Throws when it is not installed. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = PROGRAMS.find(existsSync);
  if (executablePath === undefined) throw new Error('Chromium is not installed. Run: npm run setup:tests');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'] });
}
