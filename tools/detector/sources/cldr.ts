/**
 * Names of languages, countries, currencies, units, days and emoji (npm packages `cldr-*-full`, Unicode-3.0). Most entries are words and
 * short phrases; some languages have hardly any other open source.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LABELS } from './labels.ts';
import { foldersFromArguments, writeLines } from './output.ts';
import { npmFiles } from './packages.ts';
import { cleanString, isProse } from './strings.ts';

const VERSION = '48.2.0';

/** Label → locales, if they differ. */
const LOCALES_BY_LABEL: Record<string, string> = {
  ff: 'ff ff-Latn',
  'fr-ca': 'fr-CA',
  gom: 'kok kok-Deva',
  kmr: 'ku',
  ks: 'ks ks-Arab',
  ku: 'ckb',
  lug: 'lg',
  'mn-Cyrl': 'mn',
  mni: 'mni mni-Beng',
  nb: 'nb no',
  nya: 'ny',
  prs: 'fa-AF',
  'pt-pt': 'pt-PT',
  run: 'rn',
  sd: 'sd sd-Arab',
  shi: 'shi-Latn shi-Tfng',
  'sr-Cyrl': 'sr sr-Cyrl',
  'zh-Hans': 'zh',
  'zh-Hant': 'zh-Hant zh-Hant-HK',
};

/** Inherited entries say nothing about a locale: for these locales only entries that differ from the parent are used. */
const PARENTS: Record<string, string> = { 'fr-CA': 'fr', 'fa-AF': 'fa', 'pt-PT': 'pt', 'zh-Hant-HK': 'zh-Hant' };

type Part = { readonly name: string; readonly files: readonly string[]; readonly keep: RegExp };

const PARTS: readonly Part[] = [
  {
    name: 'cldr-localenames-full',
    files: ['languages', 'scripts', 'territories', 'variants', 'localeDisplayNames'].map(
      (file) => `main/*/${file}.json`,
    ),
    keep: /\.(languages|scripts|territories|variants|keys|types)\./,
  },
  {
    name: 'cldr-dates-full',
    files: ['ca-gregorian', 'dateFields', 'timeZoneNames'].map((file) => `main/*/${file}.json`),
    keep: /\.(months|days|dayPeriods|quarters|eras|fields|zone)\./,
  },
  { name: 'cldr-units-full', files: ['main/*/units.json'], keep: /\.long\./ },
  { name: 'cldr-numbers-full', files: ['main/*/currencies.json'], keep: /\.displayName/ },
  { name: 'cldr-annotations-full', files: ['annotations/*/annotations.json'], keep: /\.(default|tts)\./ },
];

const folders = foldersFromArguments();

/** Every text of a tree of objects, by its path. */
const flatten = (value: unknown, path: string, found: Map<string, string>): void => {
  if (typeof value === 'string') {
    found.set(path, value);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) flatten(child, `${path}.${key}`, found);
};

const readLocale = (locale: string): Map<string, string> => {
  const texts = new Map<string, string>();
  for (const { name, files, keep } of PARTS) {
    for (const file of files) {
      const path = join(npmFiles(folders, `${name}@${VERSION}`), file.replace('*', locale));
      if (!existsSync(path)) continue;
      const all = new Map<string, string>();
      const content = JSON.parse(readFileSync(path, 'utf8')) as { main?: Record<string, unknown> };
      flatten(content.main?.[locale] ?? content, name, all);
      for (const [key, text] of all) if (keep.test(key)) texts.set(key, text);
    }
  }
  return texts;
};

const english = readLocale('en');
// A locale without an entry shows that of the root, which is a code or English.
const root = readLocale('und');
for (const label of LABELS) {
  const lines: string[] = [];
  for (const locale of (LOCALES_BY_LABEL[label] ?? label).split(' ')) {
    const parent = PARENTS[locale] === undefined ? undefined : readLocale(PARENTS[locale]);
    for (const [key, text] of readLocale(locale)) {
      const isForeign = label !== 'en' && (english.get(key) === text || root.get(key) === text);
      if (isForeign || parent?.get(key) === text) continue;
      const clean = cleanString(text);
      if (isProse(clean)) lines.push(clean);
    }
  }
  console.log(label, writeLines(folders, label, 'cldr', lines));
}
