// Runs one case in its own process, so that no case is affected by the heap of another. Sends its figures to the parent.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CASES } from '../cases/index.ts';

const [name, mode] = process.argv.slice(2);
const found = CASES.find((each) => each.name === name);
if (!found) throw new Error(`there is no case ${name}`);

const folder = mkdtempSync(join(tmpdir(), `cloudjar-bench-${found.name}-`));
try {
  const comparisons = await found.run({
    quick: mode === 'quick',
    folder,
    say: (line) => process.stderr.write(`  ${found.name}: ${line}\n`),
  });
  process.send?.(comparisons);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.disconnect?.();
