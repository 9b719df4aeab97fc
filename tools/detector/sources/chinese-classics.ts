/**
 * Classical Chinese prose and verse (npm package `chinese-poetry`, MIT; the works themselves have long been in the public domain). Old
 * books are printed in both forms of the script today, so each line is written in both (npm `opencc-js`, MIT and Apache-2.0).
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { foldersFromArguments, writeLines } from './output.ts';
import { npmFiles } from './packages.ts';

const TEXTS = 'chinese-poetry@2.0.1';
const CONVERTER = 'opencc-js@1.0.5';

/** Prose first, then older verse; later verse is represented by one volume per collection, because the full collections would dominate. */
const BOOKS = [
  'lunyu',
  'sishuwujing',
  'mengxue/guwenguanzhi.json',
  'mengxue/youxueqionglin.json',
  'mengxue/zhuzijiaxun.json',
  'mengxue/zengguangxianwen.json',
  'mengxue/dizigui.json',
  'shijing',
  'chuci',
  'caocaoshiji',
  'mengxue/tangshisanbaishou.json',
  'quantangshi/poet.tang.0.json',
];

/** Fields that contain the works; introductions and notes are in modern Chinese. */
const WORK_FIELDS = new Set(['content', 'paragraphs', 'paragraph']);

const collect = (value: unknown, inside: boolean, lines: string[]): void => {
  if (typeof value === 'string') {
    if (inside) lines.push(...value.split(/(?<=[。！？])(?![」』”’])/u));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (Array.isArray(value)) collect(child, inside, lines);
    else if (WORK_FIELDS.has(key)) collect(child, true, lines);
    else if (typeof child === 'object') collect(child, false, lines);
  }
};

const folders = foldersFromArguments();
const books = join(npmFiles(folders, TEXTS), 'dist');
const lines: string[] = [];
for (const book of BOOKS) {
  const files = book.endsWith('.json') ? [book] : readdirSync(join(books, book)).map((file) => join(book, file));
  for (const file of files) collect(JSON.parse(readFileSync(join(books, file), 'utf8')), false, lines);
}

type Converters = { Converter: (options: { from: string; to: string }) => (text: string) => string };
const script = pathToFileURL(join(npmFiles(folders, CONVERTER), 'dist/esm/full.js'));
const { Converter } = (await import(script.href)) as Converters;
const [toTraditional, toSimplified] = [Converter({ from: 'cn', to: 't' }), Converter({ from: 't', to: 'cn' })];
const both = lines.filter((line) => line.length >= 6).flatMap((line) => [toTraditional(line), toSimplified(line)]);
console.log('lzh', writeLines(folders, 'lzh', 'chinese-poetry', both, 2_500_000));
