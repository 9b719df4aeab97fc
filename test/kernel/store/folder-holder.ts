import { writeSync } from 'node:fs';
import { StoreError } from '../../../src/kernel/store/errors.ts';
import { openFolder } from '../../../src/kernel/store/folder.ts';

/** Tries to open a folder, prints the outcome, and runs until it is killed. */
const STDOUT = 1;
const folder = await openFolder(process.argv[2]!).catch((error: unknown) => {
  writeSync(STDOUT, `${error instanceof StoreError ? `${error.code} ${error.message}` : String(error)}\n`);
});
if (folder) {
  writeSync(STDOUT, 'HELD\n');
  setInterval(() => folder.path, 60_000);
}
