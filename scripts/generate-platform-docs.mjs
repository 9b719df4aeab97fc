// Writes the tables of docs/platform-limits.md and docs/platform-operations.md from the rows of the data platform. With --check it only
// compares, and fails if they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { withLimitTables } from '../src/services/platform/limits/docs.ts';
import { withOperationTable } from '../src/services/platform/operations-docs.ts';
import * as proofs from '../test/services/platform/limits/proofs.ts';

const PAGES = {
  'platform-limits.md': (/** @type {string} */ page) => withLimitTables(page, proofs),
  'platform-operations.md': withOperationTable,
};

for (const [name, draw] of Object.entries(PAGES)) {
  const page = new URL(`../docs/${name}`, import.meta.url);
  const present = readFileSync(page, 'utf8');
  const wanted = draw(present);
  if (!process.argv.includes('--check')) {
    writeFileSync(page, wanted);
  } else if (present !== wanted) {
    console.error(`docs/${name} is out of date: run node scripts/generate-platform-docs.mjs`);
    process.exitCode = 1;
  }
}
