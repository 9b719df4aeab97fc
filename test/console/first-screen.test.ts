import { expect } from 'vitest';
import { consoleStory } from './console-window.ts';

const MOST_BYTES = 350_000;

consoleStory('the first screen loads at most 350 kB of compressed script', async ({ page, open }) => {
  await open('');
  await page.getByRole('main').getByRole('heading').first().waitFor();
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map((entry) => (entry as unknown as { encodedBodySize: number }).encodedBodySize),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  // A jar that sends the scripts uncompressed, or a browser that does not say their size, would make the test meaningless.
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});
