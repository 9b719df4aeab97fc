/**
 * Sentences written for this project that say the same in languages which are easily confused (`contrast/`). The first line of a file names
 * the labels; differences are in braces, in the order of the labels: `{voz|vlak|voz}`.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldersFromArguments, writeLines } from './output.ts';

const folders = foldersFromArguments();
const source = join(import.meta.dirname, 'contrast');
for (const file of readdirSync(source)) {
  const [head = '', ...sentences] = readFileSync(join(source, file), 'utf8').trim().split('\n');
  const labels = head.split('|');
  for (const [column, label] of labels.entries()) {
    const lines = sentences.map((sentence) =>
      sentence.replace(/\{([^}]*)\}/g, (_, choices: string) => {
        const forms = choices.split('|');
        if (forms.length !== labels.length) throw new Error(`${file}: {${choices}} has not ${labels.length} forms.`);
        return forms[column] as string;
      }),
    );
    console.log(label, writeLines(folders, label, 'contrast', lines));
  }
}
