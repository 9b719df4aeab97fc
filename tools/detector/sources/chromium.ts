/** Interface strings of a browser (Debian package `chromium-l10n`, BSD-3-Clause): one data pack per language. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldersFromArguments, writeLines } from './output.ts';
import { debianFiles } from './packages.ts';
import { cleanString, isProse, translationsOf } from './strings.ts';

// biome-ignore format: a table reads better in rows.
const PACKS_BY_LABEL: Record<string, string> = {
  af: 'af', am: 'am', ar: 'ar', bg: 'bg', bn: 'bn', ca: 'ca', cs: 'cs', da: 'da', de: 'de', el: 'el', en: 'en-GB',
  es: 'es es-419', et: 'et', fa: 'fa', fi: 'fi', fil: 'fil', fr: 'fr', gu: 'gu', he: 'he', hi: 'hi', hr: 'hr', hu: 'hu',
  id: 'id', it: 'it', ja: 'ja', kn: 'kn', ko: 'ko', lt: 'lt', lv: 'lv', ml: 'ml', mr: 'mr', ms: 'ms', nb: 'nb', nl: 'nl',
  pl: 'pl', pt: 'pt-BR', 'pt-pt': 'pt-PT', ro: 'ro', ru: 'ru', sk: 'sk', sl: 'sl', 'sr-Cyrl': 'sr', sv: 'sv', sw: 'sw',
  ta: 'ta', te: 'te', th: 'th', tr: 'tr', uk: 'uk', ur: 'ur', vi: 'vi', 'zh-Hans': 'zh-CN', 'zh-Hant': 'zh-TW',
};

const PACK_VERSION = 5;
const HEADER_BYTES = 12;
const ENTRY_BYTES = 6;
const UTF16 = 2;

/** Reads a data pack: a table of number and offset, then the strings one after another. */
const readPack = (path: string): Map<number, string> => {
  const bytes = readFileSync(path);
  if (bytes.readUInt32LE(0) !== PACK_VERSION) throw new Error(`${path} is not a data pack of version ${PACK_VERSION}.`);
  const encoding = bytes.readUInt8(4) === UTF16 ? 'utf16le' : 'utf8';
  const count = bytes.readUInt16LE(8);
  const strings = new Map<number, string>();
  for (let row = 0; row < count; row++) {
    const entry = HEADER_BYTES + row * ENTRY_BYTES;
    const [start, end] = [bytes.readUInt32LE(entry + 2), bytes.readUInt32LE(entry + ENTRY_BYTES + 2)];
    strings.set(bytes.readUInt16LE(entry), bytes.toString(encoding, start, end));
  }
  return strings;
};

/** Plural forms are written `{COUNT, plural, =1 {one page} other {# pages}}`: only the inner texts are natural language. */
const openPlurals = (text: string): string =>
  text
    .replace(/\{\s*\w+\s*,\s*(plural|select|selectordinal)\s*,/g, '')
    .replace(/(=\d+|\b(zero|one|two|few|many|other|male|female))\s*\{([^{}]*)\}/g, '\n$3\n');

const folders = foldersFromArguments();
const locales = join(debianFiles(folders, 'chromium-l10n'), 'usr/lib/chromium/locales');
const english = readPack(join(locales, 'en-GB.pak'));
for (const [label, packs] of Object.entries(PACKS_BY_LABEL)) {
  const strings = packs.split(' ').flatMap((pack) => [...readPack(join(locales, `${pack}.pak`))]);
  const lines =
    label === 'en'
      ? strings.flatMap(([, text]) => openPlurals(text).split('\n').map(cleanString)).filter(isProse)
      : translationsOf(strings.map(([number, text]) => [english.get(number) ?? '', openPlurals(text)] as const));
  console.log(label, writeLines(folders, label, 'chromium', lines));
}
