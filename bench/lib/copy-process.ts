// Copies one container of a provider's folder to a consumer's, in its own process, and reports its memory to the parent.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../../src/kernel/store/index.ts';
import { copyCollections } from '../../src/services/datashare/copying/index.ts';
import { copyContainer } from './copies.ts';

const [root = ''] = process.argv.slice(2);

/** Peak resident memory, in MB (of 1024 × 1024 bytes). */
function peak(): number {
  const line = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(line?.[1]) / 1024;
}

const store = await openSqlite({ file: join(root, 'copy.db'), collections: copyCollections });
const idle = peak();
const began = performance.now();
const { sizeWritten } = await copyContainer(store, root, 'one');
const ms = performance.now() - began;
process.send?.({ idle, most: peak(), sizeWritten, ms });
await store.close();
process.disconnect?.();
