/**
 * Interface strings of a phone system (Debian source package `android-platform-frameworks-base`, Apache-2.0): the only open source here
 * with complete Canadian French.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldersFromArguments, writeLines } from './output.ts';
import { debianSourceFiles } from './packages.ts';
import { cleanString, isProse, translationsOf } from './strings.ts';

/** Label → suffixes of the resource folders, if they differ. */
const FOLDERS_BY_LABEL: Record<string, string> = {
  en: 'en-rGB',
  es: 'es es-rUS',
  fil: 'tl',
  'fr-ca': 'fr-rCA',
  he: 'iw',
  id: 'in',
  'mn-Cyrl': 'mn',
  pt: 'pt-rBR',
  'pt-pt': 'pt-rPT',
  'sr-Cyrl': 'sr',
  'sr-Latn': 'b+sr+Latn',
  'zh-Hans': 'zh-rCN',
  'zh-Hant': 'zh-rTW zh-rHK',
};

const PLAIN_LABELS =
  'af am ar as az be bg bn bs ca cs da de el et eu fa fi fr gl gu hi hr hu hy is it ja ka kk km kn ko ky lo lt lv mk ml mr ms my nb ne nl or pa pl ro ru si sk sl sq sv sw ta te th tr uk ur uz vi zu'.split(
    ' ',
  );

const folders = foldersFromArguments();
const RESOURCES = 'core/res/res';
const source = debianSourceFiles(folders, 'android-platform-frameworks-base', /\.orig\.tar\.xz$/, [
  `${RESOURCES}/values/strings.xml`,
  `${RESOURCES}/values-*/strings.xml`,
]);

const readStrings = (suffix: string): Map<string, string> => {
  const path = join(source, RESOURCES, `values${suffix}`, 'strings.xml');
  const strings = new Map<string, string>();
  if (!existsSync(path)) return strings;
  const text = readFileSync(path, 'utf8');
  for (const match of text.matchAll(/<string name="([^"]+)"[^>]*>([\s\S]*?)<\/string>/g)) {
    strings.set(match[1] ?? '', match[2] ?? '');
  }
  for (const match of text.matchAll(
    /<(?:string-array|plurals) name="([^"]+)"[^>]*>([\s\S]*?)<\/(?:string-array|plurals)>/g,
  )) {
    for (const item of (match[2] ?? '').matchAll(/<item[^>]*>([\s\S]*?)<\/item>/g)) {
      strings.set(`${match[1]}#${strings.size}`, item[1] ?? '');
    }
  }
  return strings;
};

/** Removes quotes, escapes and the markers of text that is not to be translated. */
const plain = (text: string): string =>
  text
    .replace(/<xliff:g[^>]*>[\s\S]*?<\/xliff:g>/g, ' ')
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\n/g, '\n')
    .replace(/\\(['"])/g, '$1')
    .replace(/^"|"$/g, '')
    .replace(/ "|" /g, ' ');

const english = readStrings('');
for (const label of [...PLAIN_LABELS, ...Object.keys(FOLDERS_BY_LABEL)]) {
  const pairs = (FOLDERS_BY_LABEL[label] ?? label)
    .split(' ')
    .flatMap((suffix) => [...readStrings(`-${suffix}`)])
    .map(([name, text]) => [plain(english.get(name) ?? ''), plain(text)] as const);
  const lines =
    label === 'en' ? pairs.map(([, text]) => cleanString(text)).filter(isProse) : [...translationsOf(pairs)];
  console.log(label, writeLines(folders, label, 'android', lines));
}
