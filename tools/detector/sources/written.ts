/** Sentences written for this project, for a language that has no open text within reach; they lie in `written/`. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldersFromArguments, writeLines } from './output.ts';

const folders = foldersFromArguments();
const source = join(import.meta.dirname, 'written');
for (const file of readdirSync(source)) {
  const label = file.replace(/\.txt$/, '');
  console.log(label, writeLines(folders, label, 'written', readFileSync(join(source, file), 'utf8').split('\n')));
}
