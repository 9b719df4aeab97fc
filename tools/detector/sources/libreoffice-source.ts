/**
 * Message catalogues of the office suite's source package (Debian source package `libreoffice`, MPL-2.0), for languages without a binary
 * package of their own; many of the smaller Indian languages are only here.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldersFromArguments, writeLines } from './output.ts';
import { debianSourceFiles } from './packages.ts';
import { translationsOf } from './strings.ts';

/** Folder of the source package → label. */
const LABEL_BY_FOLDER: Record<string, string> = {
  az: 'az',
  bo: 'bo',
  brx: 'brx',
  ckb: 'ku',
  dgo: 'doi',
  dsb: 'dsb',
  hsb: 'hsb',
  'kmr-Latn': 'kmr',
  kok: 'gom',
  ks: 'ks',
  ky: 'ky',
  lb: 'lb',
  lo: 'lo',
  mai: 'mai',
  mni: 'mni',
  my: 'my',
  sd: 'sd',
  sq: 'sq',
  'sr-Latn': 'sr-Latn',
  'sw-TZ': 'sw',
  ti: 'ti',
  tt: 'tt',
  ur: 'ur',
};

/**
 * Translators of Kashmiri left most strings in Urdu: only strings with a letter, a vowel mark or a small word specific to Kashmiri are
 * used.
 */
const OWN_MARKS: Record<string, RegExp> = { ks: /[ۄۆٲٳێۍؠ\u0654-\u0657\u065a\u065b]|چھ|منز|ہنز|ستۍ|خئ?ٲ?طرئ?/u };

const unquote = (text: string): string =>
  text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter === 't' ? ' ' : letter));

/** Reads a text catalogue: pairs of the English and the translated string. Guesses marked `fuzzy` are left out. */
const readCatalogue = (text: string): [string, string][] =>
  text.split(/\n\s*\n/).flatMap((entry): [string, string][] => {
    if (/^#,.*fuzzy/m.test(entry)) return [];
    const field = (name: string): string => {
      const lines = new RegExp(`^${name} ((?:".*"\\s*)+)`, 'm').exec(entry)?.[1] ?? '';
      return unquote([...lines.matchAll(/"(.*)"/g)].map((match) => match[1]).join(''));
    };
    const english = field('msgid');
    const plurals = [...entry.matchAll(/^msgstr\[(\d)\]/gm)].map((match) => field(`msgstr\\[${match[1]}\\]`));
    const translation = [field('msgstr'), ...plurals].join('\n');
    return english === '' || translation === '' ? [] : [[english, translation]];
  });

const folders = foldersFromArguments();
const source = debianSourceFiles(
  folders,
  'libreoffice',
  /\.orig-translations\.tar\.xz$/,
  Object.keys(LABEL_BY_FOLDER).map((folder) => `translations/source/${folder}/*`),
);
for (const [name, label] of Object.entries(LABEL_BY_FOLDER)) {
  const folder = join(source, 'translations/source', name);
  if (!existsSync(folder)) continue;
  // The word lists of spelling dictionaries have other licences.
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.po') && !path.startsWith('dictionaries'))
    .sort();
  const lines = paths.flatMap((path) => [...translationsOf(readCatalogue(readFileSync(join(folder, path), 'utf8')))]);
  const kept = lines.filter((line) => OWN_MARKS[label]?.test(line) !== false);
  console.log(label, writeLines(folders, label, 'libreoffice-source', kept));
}
