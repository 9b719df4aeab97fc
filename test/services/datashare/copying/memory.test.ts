import { spawn } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PIECE_BYTES } from '../../../../src/services/datashare/storage/index.ts';
import { bundled } from '../../../support/bundled.ts';
import { MEGABYTE } from '../../../support/process-memory.ts';
import { newFolder } from '../storage/support.ts';

const PROBE = await bundled(join(import.meta.dirname, 'memory-of-copy.ts'));

interface Told {
  /** Memory of the process before the copy, and its peak during the copy, in bytes. */
  readonly idle: number;
  readonly most: number;
  readonly sizeWritten: number;
}

async function copied(root: string): Promise<Told> {
  const probe = spawn(process.execPath, [PROBE, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  probe.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await new Promise((resolve) => probe.once('close', resolve));
  return JSON.parse(said) as Told;
}

/** 5 GB take the same memory: `npm run bench -- datashare-copy`. */
it('a file of 256 MB takes no more memory than a few pieces', async () => {
  const root = newFolder();
  mkdirSync(join(root, 'provider', 'shared'), { recursive: true });
  const path = join(root, 'provider', 'shared', 'large');
  writeFileSync(path, '');
  truncateSync(path, 256 * MEGABYTE);
  const { idle, most, sizeWritten } = await copied(root);
  expect(sizeWritten).toBe(256 * MEGABYTE);
  expect(most - idle).toBeLessThan(60 * MEGABYTE);
});

it('many files of one piece each take no more memory than all buffers', async () => {
  const root = newFolder();
  mkdirSync(join(root, 'provider', 'shared'), { recursive: true });
  for (let i = 0; i < 60; i++) {
    const path = join(root, 'provider', 'shared', `f${i}`);
    writeFileSync(path, String(i));
    truncateSync(path, PIECE_BYTES);
  }
  const { idle, most, sizeWritten } = await copied(root);
  expect(sizeWritten).toBe(60 * PIECE_BYTES);
  expect(most - idle).toBeLessThan(100 * MEGABYTE);
});
