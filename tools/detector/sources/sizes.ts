/** Writes `SIZES.txt` into the text folder: the number of bytes from each source for each label, the label with the least text first. */

import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LABELS } from './labels.ts';
import { foldersFromArguments } from './output.ts';

const folders = foldersFromArguments();
const rows = LABELS.map((label) => {
  const folder = join(folders.text, label);
  const sources = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.txt'.length), bytes: statSync(join(folder, file)).size }));
  return { label, sources, total: sources.reduce((sum, source) => sum + source.bytes, 0) };
});
rows.sort((left, right) => left.total - right.total);
const lines = rows.map(({ label, sources, total }) =>
  [label, total, ...sources.map(({ name, bytes }) => `${name}=${bytes}`)].join('\t'),
);
writeFileSync(join(folders.text, 'SIZES.txt'), `${lines.join('\n')}\n`);
