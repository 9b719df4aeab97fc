/**
 * Language packs of a browser and of a mail program (Debian packages `firefox-esr-l10n-*` and `thunderbird-l10n-*`, MPL-2.0).
 * A language pack is a zip archive of `.ftl`, `.properties` and `.dtd` files. Needs `unzip`.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldersFromArguments, writeLines } from './output.ts';
import { debianFiles, debianPackages, fetchDebian, run, unpackOnce } from './packages.ts';
import { cleanString, isProse, translationsOf } from './strings.ts';

/** Package suffix → label, if they differ. The other packs are compared with the English ones. */
const LABEL_BY_SUFFIX: Record<string, string> = {
  'en-gb': 'en',
  'es-ar': 'es',
  'es-es': 'es',
  'es-mx': 'es',
  'ga-ie': 'ga',
  'gu-in': 'gu',
  'hi-in': 'hi',
  'hy-am': 'hy',
  'nb-no': 'nb',
  'ne-np': 'ne',
  'nn-no': 'nn',
  'pa-in': 'pa',
  'pt-br': 'pt',
  'pt-pt': 'pt-pt',
  sr: 'sr-Cyrl',
  'sv-se': 'sv',
  tl: 'fil',
  'zh-cn': 'zh-Hans',
  'zh-tw': 'zh-Hant',
};

const PLAIN_LABELS = new Set(
  'af ar az be bg bn bs ca cs cy da de dsb el eo et eu fa ff fi fr gl he hr hsb hu id is it ja ka kk km kn ko lt lv mk mr ms my nl pl ro ru si sk sl sq ta te tg th tr uk ur uz vi xh'.split(
    ' ',
  ),
);

const labelOf = (suffix: string): string | undefined =>
  LABEL_BY_SUFFIX[suffix] ?? (PLAIN_LABELS.has(suffix) ? suffix : undefined);

type Strings = Map<string, string>;

const readProperties = (text: string, add: (key: string, value: string) => void): void => {
  for (const line of text.replace(/\\\r?\n\s*/g, ' ').split('\n')) {
    const [, key, value] = /^\s*([^#!\s=:][^=]*?)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    add(
      key,
      value.replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    );
  }
};

const readEntities = (text: string, add: (key: string, value: string) => void): void => {
  for (const match of text.matchAll(/<!ENTITY\s+(\S+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g)) {
    add(match[1] ?? '', match[2] ?? match[3] ?? '');
  }
};

/** Reads messages, attributes and variants as separate strings; a string over several lines becomes one. */
const readFluent = (text: string, add: (key: string, value: string) => void): void => {
  let message = '';
  let key = '';
  let parts: string[] = [];
  let variant = 0;
  const flush = (): void => {
    if (parts.length > 0) add(key, parts.join(' '));
    parts = [];
  };
  const begin = (name: string, value: string): void => {
    flush();
    key = name;
    if (value !== '') parts.push(value);
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) continue;
    const [, name, value] = /^(-?[a-zA-Z][\w-]*)\s*=\s*(.*)$/.exec(line) ?? [];
    const [, attribute, attributeValue] = /^\s+\.([\w-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    const variantValue = /^\s+\*?\[\s*[\w.-]+\s*\]\s*(.*)$/.exec(line)?.[1];
    if (name !== undefined) {
      message = name;
      variant = 0;
      begin(name, value ?? '');
    } else if (attribute !== undefined) {
      begin(`${message}.${attribute}`, attributeValue ?? '');
    } else if (variantValue !== undefined) {
      variant += 1;
      begin(`${message}[${variant}`, variantValue);
    } else if (/^\s+\S/.test(line)) {
      parts.push(line.trim());
    }
  }
  flush();
};

const READERS: Record<string, typeof readFluent> = {
  '.ftl': readFluent,
  '.properties': readProperties,
  '.dtd': readEntities,
};

/** Keys of values that are not text: keyboard shortcuts, sizes and similar. */
const NOT_TEXT = /access-?key|command-?key|\.key$|shortcut|style|width|height|charset|pluralRule|locale/i;

/** Removes the remains of select expressions whose variants were extracted. */
const dropSelectors = (value: string): string => value.replace(/\{[^{}]*->\s*$|^\s*\}\s*|\s+\}\s*$/g, ' ');

const folders = foldersFromArguments();

const readPack = (name: string): Strings => {
  const folder = debianFiles(folders, name);
  const pack = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('.xpi'));
  const strings: Strings = new Map();
  if (pack === undefined) return strings;
  const files = unpackOnce(join(folders.cache, 'language-packs', name), (target) =>
    run('unzip', ['-qo', join(folder, pack), '-d', target]),
  );
  for (const path of readdirSync(files, { recursive: true, encoding: 'utf8' }).sort()) {
    const read = READERS[/\.\w+$/.exec(path)?.[0] ?? ''];
    if (read === undefined) continue;
    // The folder names contain the language, so a file is identified by the last two parts of its path.
    const file = path
      .split('/')
      .slice(-2)
      .join('/')
      .replace(/^[a-z]{2,3}(-[A-Z]{2})?\//, '');
    read(readFileSync(join(files, path), 'utf8'), (key, value) => {
      if (!NOT_TEXT.test(key)) strings.set(`${file}:${key}`, dropSelectors(value));
    });
  }
  return strings;
};

const packages = ['firefox-esr', 'thunderbird'].flatMap((program) =>
  debianPackages(`${program}-l10n-`).flatMap((name) => {
    const label = labelOf(name.slice(`${program}-l10n-`.length));
    return label === undefined ? [] : [{ program, name, label }];
  }),
);
fetchDebian(
  folders,
  packages.map(({ name }) => name),
);

const englishByProgram = new Map(
  ['firefox-esr', 'thunderbird'].map((program) => [program, readPack(`${program}-l10n-en-gb`)]),
);
const linesByLabel = new Map<string, string[]>();
for (const { program, name, label } of packages) {
  const english = englishByProgram.get(program);
  const strings = readPack(name);
  const lines =
    label === 'en'
      ? [...strings.values()].map(cleanString).filter(isProse)
      : [...translationsOf([...strings].map(([key, value]) => [english?.get(key) ?? '', value] as const))];
  linesByLabel.set(label, (linesByLabel.get(label) ?? []).concat(lines));
}
for (const [label, lines] of linesByLabel) console.log(label, writeLines(folders, label, 'mozilla', lines));
