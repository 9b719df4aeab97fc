/**
 * Text written for this project: sentences of languages with hardly any available open text (`written/`), and everyday words and phrases
 * (`everyday/`), which people try first with a detector and which news and manuals lack.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldersFromArguments, writeLines } from './output.ts';

const folders = foldersFromArguments();
for (const name of ['written', 'everyday']) {
  const source = join(import.meta.dirname, name);
  for (const file of readdirSync(source)) {
    const label = file.replace(/\.txt$/, '');
    console.log(label, writeLines(folders, label, name, readFileSync(join(source, file), 'utf8').split('\n')));
  }
}
