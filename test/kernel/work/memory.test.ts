import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { bundled } from '../../support/bundled.ts';
import { places } from './engines.ts';

const CHILD = await bundled(join(import.meta.dirname, 'memory-child.ts'));
const SOAK = process.env.CLOUDJAR_SOAK === '1';
const ITEMS = SOAK ? 100_000 : 1250;
/** With fewer items, each is larger, so that holding all of them in memory would be detected. */
const ITEM_BYTES = SOAK ? 1000 : 8000;

describe.each(places)('$name:', ({ create }) => {
  test(`${ITEMS} due items are worked through without being in memory at once`, {
    timeout: 1_800_000,
  }, async (context) => {
    const place = await create(context);
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--expose-gc',
        CHILD,
        place.location,
        String(ITEMS),
        String(ITEM_BYTES),
      ]);
      const { fired, growth } = JSON.parse(stdout);
      expect(fired).toBe(ITEMS);
      expect(growth).toBeLessThan((ITEMS * ITEM_BYTES) / 4);
    } finally {
      await place.remove();
    }
  });
});
