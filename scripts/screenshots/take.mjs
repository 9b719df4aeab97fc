// Takes the pictures of docs/pictures: a jar with a scene, a browser, and one picture for each page and theme.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startJar } from '../../src/testing/index.ts';
import { findChromium } from '../../test/support/chromium.ts';
import { root } from '../lib/paths.mjs';
import { say } from '../lib/say.mjs';
import { asWebp } from './as-webp.mjs';
import { playScene } from './scene/index.mjs';
import { SHOTS } from './shots.mjs';

const FOLDER = join(root, 'docs', 'pictures');
const SIZE = { width: 1200, height: 720 };
const THEMES = /** @type {const} */ (['light', 'dark']);

const found = await findChromium();
if ('missing' in found) throw new Error(found.missing);
const jar = await startJar({ clock: 'shifted' });
const browser = await chromium.launch(found);
try {
  const scene = await playScene(jar);
  mkdirSync(FOLDER, { recursive: true });
  for (const theme of THEMES) {
    const page = await (await browser.newContext({ viewport: SIZE, colorScheme: theme })).newPage();
    await page.goto(await oneTimeLink());
    await page.getByRole('banner').getByText('live', { exact: true }).waitFor();
    for (const { name, address, ready, act } of SHOTS) {
      await page.goto(`${jar.url}/console/${address(scene)}`);
      await page.getByRole('main').getByText(ready).first().waitFor();
      await act?.(page);
      const png = await page.screenshot({ animations: 'disabled' });
      const file = `${name}-${theme}.webp`;
      const webp = await asWebp(browser, png);
      writeFileSync(join(FOLDER, file), webp);
      say(`${file}: ${Math.round(webp.length / 1024)} KiB`);
    }
  }
} finally {
  await browser.close();
  await jar.close();
}

async function oneTimeLink() {
  const answer = await fetch(`${jar.url}/_jar/console/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${jar.adminKey}` },
  });
  const { url } = /** @type {{ url: string }} */ (await answer.json());
  return url;
}
