/**
 * Short samples of an older detector (Debian source package `cld2`, Apache-2.0). A few hundred bytes per language, so only languages with
 * little other text are read.
 */

import { readFileSync } from 'node:fs';
import { foldersFromArguments, writeLines } from './output.ts';
import { debianSourceFiles, run } from './packages.ts';

/** Name of the sample → label. The one called `blu` is in the usual spelling of Hmong Daw. */
const LABEL_BY_SAMPLE: Record<string, string> = {
  ba_Cyrl: 'ba',
  bh_Deva: 'bho',
  blu_Latn: 'mww',
  blu_Latn2: 'mww',
  ee_Latn: 'ee',
  fj_Latn: 'fj',
  ks_Arab: 'ks',
  lg_Latn: 'lug',
  ln_Latn: 'ln',
  mg_Latn: 'mg',
  mn_Mong: 'mn-Mong',
  ny_Latn: 'nya',
  om_Latn: 'om',
  rn_Latn: 'run',
  sm_Latn: 'sm',
  sn_Latn: 'sn',
  to_Latn: 'to',
  wo_Latn: 'wo',
};

const folders = foldersFromArguments();
const source = debianSourceFiles(folders, 'cld2', /\.orig\.tar\.gz$/, ['*/internal/unittest_data.h']);
const path = run('find', [source, '-name', 'unittest_data.h']).trim();

const linesByLabel = new Map<string, string[]>();
for (const match of readFileSync(path, 'utf8').matchAll(/kTeststr_(\w+) = "((?:[^"\\]|\\.)*)"/g)) {
  const label = LABEL_BY_SAMPLE[match[1] ?? ''];
  // The file contains every sample twice, the second time with escapes.
  if (label === undefined || match[2]?.includes('\\x')) continue;
  linesByLabel.set(label, [...(linesByLabel.get(label) ?? []), ...(match[2] ?? '').split(/(?<=[.!?।۔])\s/)]);
}
for (const [label, lines] of linesByLabel) console.log(label, writeLines(folders, label, 'cld2-samples', lines));
