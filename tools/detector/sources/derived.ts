/** Text derived by fixed rules from the text of another label. Must run after all other scripts. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldersFromArguments, writeLines } from './output.ts';
import { inuktitutToInuinnaqtun, inuktitutToLatin, klingonToItsScript } from './transliterate.ts';

const RULES: readonly { readonly from: string; readonly to: string; readonly change: (line: string) => string }[] = [
  { from: 'iu', to: 'iu-Latn', change: inuktitutToLatin },
  { from: 'iu', to: 'ikt', change: inuktitutToInuinnaqtun },
  { from: 'tlh-Latn', to: 'tlh-Piqd', change: klingonToItsScript },
];

const folders = foldersFromArguments();
for (const { from, to, change } of RULES) {
  const folder = join(folders.text, from);
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')).map(change);
  console.log(to, writeLines(folders, to, 'derived', lines));
}
