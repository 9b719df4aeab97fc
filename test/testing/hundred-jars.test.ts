import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundled } from '../support/bundled.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
/** A leak is proportional to the number of jars, so twenty-five show it as well as a hundred. */
const JARS = SOAK ? 100 : 25;
/** A leaked jar keeps its routes, its store and its server: far more than this. */
const LEAK_BYTES_PER_JAR = 30_000;

interface Measured {
  readonly heapBytes: number;
  readonly handles: string[];
  readonly listeners: string[];
  readonly files: number;
}

test(`${JARS} jars can be started and closed in one process, and nothing of them stays`, {
  timeout: 180_000,
}, async () => {
  const child = await bundled(join(import.meta.dirname, 'hundred-jars-child.ts'));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--expose-gc', child, String(JARS)]);
  const { early, late } = JSON.parse(stdout) as { early: Measured; late: Measured };
  expect(late.handles).toEqual(early.handles);
  expect(late.listeners).toEqual(early.listeners);
  expect(late.files).toBeLessThanOrEqual(early.files);
  expect(late.heapBytes - early.heapBytes).toBeLessThan(JARS * LEAK_BYTES_PER_JAR);
  // Node warns on stderr about accumulating listeners.
  expect(stderr).toBe('');
});
