// Writes docs/configuration.md from the table of settings. With --check it only compares, and fails if they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { configurationReference } from '../src/kernel/config/reference.ts';

const page = new URL('../docs/configuration.md', import.meta.url);
const wanted = configurationReference();

if (!process.argv.includes('--check')) {
  writeFileSync(page, wanted);
} else if (readFileSync(page, 'utf8') !== wanted) {
  console.error('docs/configuration.md is out of date: run node scripts/generate-config-docs.mjs');
  process.exitCode = 1;
}
