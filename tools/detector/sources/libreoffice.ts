/**
 * Message catalogues and help pages of an office suite (Debian packages `libreoffice-l10n-*` and `libreoffice-help-*`, MPL-2.0). The help
 * pages have whole sentences; the catalogues add languages with little other text.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldersFromArguments, writeLines } from './output.ts';
import { debianFiles, debianPackages, fetchDebian } from './packages.ts';
import { cleanString, isProse, translationsOf } from './strings.ts';

/** Package suffix → label, if they differ. */
const LABEL_BY_SUFFIX: Record<string, string> = {
  'pa-in': 'pa',
  pt: 'pt-pt',
  'pt-br': 'pt',
  mn: 'mn-Cyrl',
  'zh-cn': 'zh-Hans',
  'zh-tw': 'zh-Hant',
  sr: 'sr-Cyrl',
};

const PLAIN_LABELS = new Set(
  'af am ar as be bg bn bs ca cs cy da de dz el eo es et eu fa fi fr ga gl gu he hi hr hu id is it ja ka kk km kmr kn ko lt lv mk ml mr nb ne nl nn nso om or pl ro ru rw si sk sl ss st sv ta te tg th tn tr ts ug uk uz ve vi xh zu'.split(
    ' ',
  ),
);

const labelOf = (suffix: string): string | undefined =>
  LABEL_BY_SUFFIX[suffix] ?? (PLAIN_LABELS.has(suffix) ? suffix : undefined);

/** Reads a binary message catalogue: pairs of the English and the translated string. */
const readCatalogue = (path: string): [string, string][] => {
  const bytes = readFileSync(path);
  const littleEndian = bytes.readUInt32LE(0) === 0x950412de;
  const number = (offset: number): number => (littleEndian ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset));
  const text = (table: number, row: number): string => {
    const length = number(table + row * 8);
    const start = number(table + row * 8 + 4);
    return bytes.toString('utf8', start, start + length);
  };
  const [count, sources, translations] = [number(8), number(12), number(16)];
  const pairs: [string, string][] = [];
  for (let row = 0; row < count; row++) {
    // A context precedes the English string, separated by a control character; plural forms are joined by NUL.
    const english = text(sources, row).split('\u0004').at(-1) ?? '';
    if (english !== '') pairs.push([english.replaceAll('\0', '\n'), text(translations, row).replaceAll('\0', '\n')]);
  }
  return pairs;
};

const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .sort()
    .map((path) => join(folder, path));

const readHelpPage = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/<p id="par_[^>]*class="paragraph"[^>]*>([\s\S]*?)<\/p>/g)]
    .map((match) => cleanString((match[1] ?? '').replace(/<[^>]*>/g, '')))
    .filter(isProse);

const folders = foldersFromArguments();
const packages = [...debianPackages('libreoffice-l10n-'), ...debianPackages('libreoffice-help-')].flatMap((name) => {
  const [, kind, suffix] = /^libreoffice-(l10n|help)-(.+)$/.exec(name) ?? [];
  const label = suffix === undefined ? undefined : labelOf(suffix);
  return label === undefined ? [] : [{ name, kind, label }];
});
fetchDebian(folders, packages.map(({ name }) => name).concat('libreoffice-help-en-us'));

// Untranslated help pages are in English in every package.
const englishHelp = new Set(filesBelow(debianFiles(folders, 'libreoffice-help-en-us'), '.html').flatMap(readHelpPage));

const catalogueLines = (folder: string): string[] =>
  filesBelow(folder, '.mo').flatMap((path) => [...translationsOf(readCatalogue(path))]);

const serbianLines = (folder: string, latin: boolean): string[] =>
  filesBelow(folder, '.mo')
    .filter((path) => /sr@latin|sr-Latn/i.test(path) === latin)
    .flatMap((path) => [...translationsOf(readCatalogue(path))]);

const linesByLabel = new Map<string, string[]>();
const add = (label: string, lines: readonly string[]): void => {
  linesByLabel.set(label, (linesByLabel.get(label) ?? []).concat(lines));
};
for (const { name, kind, label } of packages) {
  const folder = debianFiles(folders, name);
  if (label === 'sr-Cyrl') {
    add(label, serbianLines(folder, false));
    add('sr-Latn', serbianLines(folder, true));
  } else if (kind === 'l10n') {
    add(label, catalogueLines(folder));
  } else {
    add(
      label,
      filesBelow(folder, '.html')
        .flatMap(readHelpPage)
        .filter((line) => !englishHelp.has(line)),
    );
  }
}
for (const [label, lines] of linesByLabel) console.log(label, writeLines(folders, label, 'libreoffice', lines));
