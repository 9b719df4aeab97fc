import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { calibrationError, count, emptyBins } from '../../bench/detect/calibration.ts';
import { type Answer, answersOf, type LoadedDetector, meaningOf } from '../../bench/detect/detectors/detector.ts';
import {
  confusionsOf,
  isAmong,
  judgedByGroups,
  macroAccuracy,
  type Tally,
  tallyOf,
} from '../../bench/detect/measured.ts';
import { readOptions } from '../../bench/detect/options.ts';
import { mixOf, readHeldOut, readTexts } from '../../bench/detect/texts.ts';
import { shortTextsOf } from '../../bench/detect/words.ts';

const PROGRAM = fileURLToPath(new URL('../../bench/detect/run.ts', import.meta.url));

/** A detector with fixed answers. */
const told = (answers: Readonly<Record<string, Answer>>): LoadedDetector => ({ detect: (text) => answers[text] });

const answer = answersOf({});

function folderWith(files: Readonly<Record<string, readonly string[]>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-bench-detect-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [file, lines] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), `${lines.join('\n')}\n`);
  }
  return folder;
}

describe('words and pairs of words', () => {
  test('are long words in small letters, and neighbours among them', () => {
    expect(shortTextsOf(['Der Hund schläft heute, aber morgen nicht.', 'Heute schläft niemand.'])).toEqual({
      words: ['schläft', 'heute', 'morgen', 'nicht', 'niemand'],
      pairs: ['schläft heute', 'morgen nicht', 'heute schläft'],
    });
  });

  test('are in the script of the language', () => {
    expect(shortTextsOf(['Работаю в компании Google каждый четверг']).words).toEqual([
      'работаю',
      'компании',
      'каждый',
      'четверг',
    ]);
    expect(shortTextsOf(['मैं दिल्लीवासियों से मिला']).words).toEqual(['दिल्लीवासियों']);
  });

  test('are pieces of two characters where there are no spaces, and of two syllables in Tibetan', () => {
    expect(shortTextsOf(['今天天气很好。'])).toEqual({ words: ['今天', '天气', '很好'], pairs: ['今天天气'] });
    expect(shortTextsOf(['ที่นี่ดี'])).toEqual({ words: ['ที่นี่'], pairs: [] });
    expect(shortTextsOf(['བོད་ཀྱི་སྐད་ཡིག']).pairs).toEqual(['བོད་ཀྱི་སྐད་ཡིག']);
  });
});

describe('texts of a folder', () => {
  const sentences = Array.from(
    { length: 30 },
    (_, at) => `Satz ${at} über viele verschiedene Dinge ${'x'.repeat(5 + at)}`,
  );

  test('are drawn the same each time, and a tenth of them for a quick run', () => {
    const folder = folderWith({ 'de.txt': sentences, 'zh.txt': ['今天天气很好'] });
    const all = readHeldOut(folder, { quick: false });
    expect(readHeldOut(folder, { quick: false })).toEqual(all);
    expect(all.map(({ name, labels }) => [name, labels])).toEqual([
      ['de', ['de']],
      ['zh', ['zh-Hans', 'zh-Hant']],
    ]);
    expect(all[0]?.texts.sentences.toSorted()).toEqual(sentences.toSorted());
    expect(readHeldOut(folder, { quick: true })[0]?.texts.sentences).toEqual(all[0]?.texts.sentences.slice(0, 3));
  });

  test('are those of each kind where the folder has kinds, some of which may be missing', () => {
    const folder = folderWith({
      'words/fr.txt': ['bonjour', ''],
      'sentences/fr.txt': ['Il fait beau.'],
      'words/it.txt': ['ciao'],
    });
    const found = readTexts(folder, { quick: false });
    expect(found.map(({ name, texts }) => [name, texts.words, texts.pairs, texts.sentences])).toEqual([
      ['fr', ['bonjour'], [], ['Il fait beau.']],
      ['it', ['ciao'], [], []],
    ]);
    expect(mixOf(found, 10)).toEqual(['Il fait beau.']);
  });

  test('with a name that means nothing are refused', () => {
    expect(() => readTexts(folderWith({ 'words/xx-none.txt': ['a'] }), { quick: false })).toThrow(/xx-none/);
  });
});

describe('what is measured', () => {
  const languages = [
    { name: 'zh-Hans', labels: ['zh-Hans'], texts: { words: ['一', '二', '三', '四'], pairs: [], sentences: [] } },
    { name: 'ceb', labels: [], texts: { words: ['usa'], pairs: [], sentences: [] } },
    { name: 'kmr', labels: ['kmr'], texts: { words: ['yek', 'du'], pairs: [], sentences: [] } },
  ];
  const detector = told({
    一: answer('zh', 0.95),
    二: answer('zh', 0.85),
    三: answer('ja', 0.4),
    yek: answer('tr', 0.2),
    du: answer('kmr', 1),
  });

  const tallied = (): Tally => tallyOf(detector, languages);

  test('is right at the granularity of the answer, and no answer is wrong', () => {
    expect(tallied().words.map(({ name, texts, right, answers }) => ({ name, texts, right, answers }))).toEqual([
      { name: 'zh-Hans', texts: 4, right: 2, answers: { zh: 2, ja: 1, '': 1 } },
      { name: 'ceb', texts: 1, right: 0, answers: { '': 1 } },
      { name: 'kmr', texts: 2, right: 1, answers: { tr: 1, kmr: 1 } },
    ]);
    expect(tallied().pairs).toEqual([]);
  });

  test('is averaged over languages, all of them or those that are claimed', () => {
    expect(macroAccuracy(tallied().words)).toBeCloseTo((0.5 + 0 + 0.5) / 3);
    expect(macroAccuracy(tallied().words, isAmong(new Set(['kmr'])))).toBe(0.5);
    expect(macroAccuracy(tallied().pairs)).toBeNaN();
  });

  test('can be judged as if the labels of a group were one', () => {
    const strict = tallyOf(told({ 一: { code: 'zh-Hant', labels: ['zh-Hant'] } }), languages.slice(0, 1)).words;
    expect(strict[0]?.right).toBe(0);
    expect(judgedByGroups(strict, [['zh-Hans', 'zh-Hant']])[0]?.right).toBe(1);
  });

  test('lists the confusions that cost most', () => {
    const found = confusionsOf(tallied(), (code) => meaningOf({}, code), 3);
    expect(found.map(({ name, answer: code, shares }) => [name, code, shares.words])).toEqual([
      ['ceb', '', 1],
      ['kmr', 'tr', 0.5],
      ['zh-Hans', 'ja', 0.25],
    ]);
  });
});

test('the calibration error is how far the scores are from the share of right answers', () => {
  const bins = emptyBins();
  for (let at = 0; at < 10; at++) count(bins, 0.9, at < 9);
  expect(calibrationError(bins)).toBeCloseTo(0);
  for (let at = 0; at < 10; at++) count(bins, 1, at < 5);
  // 14 of 20 answers in the last bin are correct, whereas the scores promise 19.
  expect(calibrationError(bins)).toBeCloseTo(5 / 20);
  expect(calibrationError(emptyBins())).toBeNaN();
});

test('mistakes in the options are named', () => {
  expect(() => readOptions(['--only', 'ours,nobody'])).toThrow(/no such detector: nobody; there are ours, lingua/);
  expect(() => readOptions(['--write', '--quick'])).toThrow(/--write is only allowed for a complete run/);
  expect(readOptions(['--only', 'eld, ours']).names).toEqual(['ours', 'eld']);
});

test('one run prints every table, without the packages of the others', async () => {
  const folder = folderWith({
    'en.txt': ['The weather is pleasant today', 'Nothing happened during yesterday afternoon'],
    'de.txt': ['Das Wetter ist heute angenehm', 'Gestern Nachmittag ist nichts passiert'],
  });
  const { output, code } = await run(['--only', 'ours', '--quick', '--confusions', '--texts', folder]);
  for (const title of [
    'Accuracy by kind of text',
    'Speed, load and memory',
    'Expected calibration error',
    'Reliability of cloudjar',
    'Accuracy by language',
    'Targets',
  ]) {
    expect(output).toContain(title);
  }
  expect(output).toMatch(/^\s+de\s+1\/1\/1\s+\d+\/\d+\/\d+$/m);
  expect([0, 1]).toContain(code);
});

function run(args: readonly string[]): Promise<{ output: string; code: number }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [PROGRAM, ...args], (_, output, problems) =>
      resolve({ output: output + problems, code: child.exitCode ?? -1 }),
    );
  });
}
