// Writes the tables of docs/platform-limits.md from the rows of the data platform. With --check it only compares, and fails where they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { withLimitTables } from '../src/services/platform/limits/docs.ts';

const page = new URL('../docs/platform-limits.md', import.meta.url);
const present = readFileSync(page, 'utf8');
const wanted = withLimitTables(present);

if (!process.argv.includes('--check')) {
  writeFileSync(page, wanted);
} else if (present !== wanted) {
  console.error('docs/platform-limits.md is out of date: run node scripts/generate-limit-docs.mjs');
  process.exitCode = 1;
}
