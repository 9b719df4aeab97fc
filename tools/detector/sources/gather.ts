/** Runs every script of this directory in the required order. Takes about ten minutes with an empty cache. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { foldersFromArguments } from './output.ts';

const SCRIPTS = [
  'tesseract-words',
  'universal-declaration',
  'libreoffice',
  'libreoffice-source',
  'mozilla',
  'chromium',
  'android',
  'cldr',
  'npm-catalogues',
  'chinese-classics',
  'cld2-samples',
  'written',
  'contrast',
  'derived',
  'sizes',
];

const { text, cache } = foldersFromArguments();
for (const script of SCRIPTS) {
  console.log(`${script} …`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${script}.ts`), text, cache], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // An unreachable source must not stop the others.
  if (status !== 0) console.error(`${script} ended with status ${status}.`);
}
