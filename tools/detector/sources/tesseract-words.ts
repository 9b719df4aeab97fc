/**
 * Word lists inside the trained data of an optical character reader (Debian packages `tesseract-ocr-*`, Apache-2.0).
 * Needs the tools of the Debian package `tesseract-ocr`: `combine_tessdata` and `dawg2wordlist`.
 */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWordOf } from './labels.ts';
import { foldersFromArguments, writeLines } from './output.ts';
import { debianFiles, fetchDebian, run } from './packages.ts';
import { isInuktitut } from './transliterate.ts';

/** Package suffix → label, for every package whose language has a label in the same script. */
// biome-ignore format: a table reads better in rows.
const LABEL_BY_PACKAGE: Record<string, string> = {
  afr: 'af', amh: 'am', ara: 'ar', asm: 'as', aze: 'az', bel: 'be', ben: 'bn', bod: 'bo', bos: 'bs', bul: 'bg',
  cat: 'ca', ces: 'cs', 'chi-sim': 'zh-Hans', 'chi-tra': 'zh-Hant', cym: 'cy', dan: 'da', deu: 'de', div: 'dv',
  dzo: 'dz', ell: 'el', eng: 'en', epo: 'eo', est: 'et', eus: 'eu', fao: 'fo', fas: 'fa', fil: 'fil', fin: 'fi',
  fra: 'fr', gle: 'ga', glg: 'gl', guj: 'gu', hat: 'ht', heb: 'he', hin: 'hi', hrv: 'hr', hun: 'hu', hye: 'hy',
  iku: 'iu', ind: 'id', isl: 'is', ita: 'it', jpn: 'ja', kan: 'kn', kat: 'ka', kaz: 'kk', khm: 'km', kir: 'ky',
  kmr: 'kmr', kor: 'ko', lao: 'lo', lat: 'la', lav: 'lv', lit: 'lt', ltz: 'lb', mal: 'ml', mar: 'mr', mkd: 'mk',
  mlt: 'mt', mon: 'mn-Cyrl', mri: 'mi', msa: 'ms', mya: 'my', nep: 'ne', nld: 'nl', nor: 'nb', ori: 'or', pan: 'pa',
  pol: 'pl', por: 'pt', pus: 'ps', ron: 'ro', rus: 'ru', sin: 'si', slk: 'sk', slv: 'sl', snd: 'sd', spa: 'es',
  sqi: 'sq', srp: 'sr-Cyrl', 'srp-latn': 'sr-Latn', swa: 'sw', swe: 'sv', tam: 'ta', tel: 'te',
  tgk: 'tg', tha: 'th', tir: 'ti', ton: 'to', tur: 'tr', uig: 'ug', ukr: 'uk', urd: 'ur', uzb: 'uz', vie: 'vi',
  yid: 'yi', yor: 'yo',
};

const findTrainedData = (folder: string): string => {
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith('.traineddata'));
  if (file === undefined) throw new Error(`No trained data in ${folder}.`);
  return join(folder, file);
};

/** The words of both generations of the reader's engine; a file may contain either or both. */
const DICTIONARIES = [
  { words: 'lstm-word-dawg', letters: 'lstm-unicharset' },
  { words: 'word-dawg', letters: 'unicharset' },
  { words: 'freq-dawg', letters: 'unicharset' },
];

const readWords = (trainedData: string): string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'detector-words-'));
  try {
    const part = (name: string): string => join(folder, `x.${name}`);
    run('combine_tessdata', ['-u', trainedData, join(folder, 'x.')]);
    let words: string[] = [];
    for (const dictionary of DICTIONARIES) {
      if (!existsSync(part(dictionary.words)) || !existsSync(part(dictionary.letters))) continue;
      run('dawg2wordlist', [part(dictionary.letters), part(dictionary.words), part('words')]);
      words = words.concat(readFileSync(part('words'), 'utf8').split('\n'));
    }
    return words;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Lists that were gathered from pages that mix the language with English. */
const MIXED_WITH_ENGLISH = new Set('af cy eo fil fo ga ht kmr la lb mi ms mt sq sw to uz yo'.split(' '));
/** Words this short often belong to both languages. */
const SHARED_WORD_LETTERS = 3;

const folders = foldersFromArguments();
fetchDebian(
  folders,
  Object.keys(LABEL_BY_PACKAGE).map((name) => `tesseract-ocr-${name}`),
);
const wordsOf = (name: string): string[] =>
  readWords(findTrainedData(debianFiles(folders, `tesseract-ocr-${name}`))).map((word) => word.trim().normalize('NFC'));

const english = new Set(wordsOf('eng').map((word) => word.toLowerCase()));
const isKept = (label: string, word: string): boolean => {
  if (!isWordOf(label, word)) return false;
  if (label === 'iu') return isInuktitut(word);
  if (!MIXED_WITH_ENGLISH.has(label)) return true;
  return word.length <= SHARED_WORD_LETTERS || !english.has(word.toLowerCase());
};

for (const [name, label] of Object.entries(LABEL_BY_PACKAGE)) {
  const kept = wordsOf(name).filter((word) => isKept(label, word));
  console.log(label, writeLines(folders, label, 'tesseract-words', kept));
}
