import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answerLines } from '../../src/cli/detect/answer-lines.ts';
import { lineSplitter, wholeLine } from '../../src/cli/detect/lines.ts';
import { lineProgress } from '../../src/cli/detect/progress.ts';
import { givenTexts, linesOf } from '../../src/cli/detect/source.ts';
import { LIVE_DETECTABLE } from '../../src/services/translator/languages/facts.ts';
import { MAIN, runCli, temporaryFolder } from './cli.ts';

const GERMAN = 'Der Hund ist heute nicht zu Hause, und die Katze schläft.';
const RUSSIAN = 'Сегодня на улице очень хорошая погода, и мы пойдём гулять.';
const ENGLISH = 'Nobody knows whether the weather will be better tomorrow.';

interface Found {
  readonly language: string;
  readonly score: number;
  readonly alternatives?: readonly { readonly language: string }[];
}

const read = (stdout: string): Found[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Found);

const languages = (stdout: string): string[] => read(stdout).map(({ language }) => language);

test('detect answers each text in the shape of the API, one line each, without a jar', async () => {
  const { code, stdout, stderr } = await runCli(['detect', GERMAN, RUSSIAN]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [german, russian] = read(stdout);
  expect(german).toMatchObject({ language: 'de', isTranslationSupported: true, isTransliterationSupported: false });
  expect(russian).toMatchObject({ language: 'ru', isTranslationSupported: true });
  const known = ['language', 'score', 'isTranslationSupported', 'isTransliterationSupported', 'alternatives'];
  for (const found of [german!, russian!]) {
    expect(known).toEqual(expect.arrayContaining(Object.keys(found)));
    expect(found.score).toBeGreaterThan(0);
  }
});

test('detect --plain prints the language and the score', async () => {
  expect((await runCli(['detect', '--plain', GERMAN])).stdout).toMatch(/^de\t[\d.]+\n$/);
});

test('detect reads lines from stdin and answers every one of them in order, empty ones too', async () => {
  const input = `${GERMAN}\n\n${RUSSIAN}\r\n   \n${ENGLISH}`;
  const { code, stdout } = await runCli(['detect'], { input });
  expect(code).toBe(0);
  expect(read(stdout).map(({ language, score }) => (score === 0 ? 'nothing' : language))).toEqual([
    'de',
    'nothing',
    'ru',
    'nothing',
    'en',
  ]);
  expect(await runCli(['detect'], { input: '' })).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(languages((await runCli(['detect', '--file', '-'], { input: `${GERMAN}\n` })).stdout)).toEqual(['de']);
});

test('detect reads a file in UTF-8 or UTF-16, with or without a mark in front', async () => {
  const folder = temporaryFolder();
  for (const [name, bytes] of [
    ['plain', Buffer.from(`${RUSSIAN}\n${GERMAN}\n`)],
    ['marked', Buffer.from(`\uFEFF${RUSSIAN}\n${GERMAN}\n`)],
    ['wide', Buffer.from(`\uFEFF${RUSSIAN}\r\n${GERMAN}\r\n`, 'utf16le')],
  ] as const) {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    expect(languages((await runCli(['detect', '--file', file])).stdout), name).toEqual(['ru', 'de']);
  }
});

test('detect --live-detectable answers only with what the real service returns', async () => {
  const input = `${GERMAN}\n${RUSSIAN}\nSaluton, mi volas lerni Esperanton\nMollo tsamaeng hantle bana ba ka\n`;
  const { stdout } = await runCli(['detect', '--live-detectable'], { input });
  const found = read(stdout).flatMap(({ language, alternatives = [] }) => [
    language,
    ...alternatives.map((each) => each.language),
  ]);
  expect(found.length).toBeGreaterThanOrEqual(4);
  for (const language of found) expect(LIVE_DETECTABLE).toContain(language);
});

test('a line of 60 MB passes in little memory, and a note says that its end was not looked at', async () => {
  const file = join(temporaryFolder(), 'long.txt');
  writeFileSync(file, Buffer.concat([Buffer.alloc(60_000_000, 'ж '), Buffer.from(`\n${GERMAN}\n`)]));
  const nodeArgs = ['--max-old-space-size=160'];
  const { code, stdout, stderr } = await runCli(['detect', '--file', file], { nodeArgs });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: 'cloudjar: line 1 is longer than 50,000 characters; the rest was ignored\n',
  });
  expect(read(stdout)).toHaveLength(2);
  expect(languages(stdout)[1]).toBe('de');
  expect((await runCli(['detect', '--quiet', '--file', file], { nodeArgs })).stderr).toBe('');
});

test('a reader that closes the pipe ends the command quietly, even if input is still being written', async () => {
  const pipe = `set -o pipefail; (yes "${GERMAN}" || true) | "$0" "$1" detect --plain | head -n 2`;
  const shell = spawn('bash', ['-c', pipe, process.execPath, MAIN], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void shell.kill('SIGKILL'));
  let [out, err] = ['', ''];
  shell.stdout.on('data', (text) => (out += text));
  shell.stderr.on('data', (text) => (err += text));
  const [code] = await once(shell, 'close');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^de\t[\d.]+\nde\t[\d.]+\n$/);
});

test('a disk that is full is told in one line', async ({ skip }) => {
  if (!existsSync('/dev/full')) skip('this system has no /dev/full');
  const under = ['sh', '-c', 'exec "$@" > /dev/full', 'sh'];
  const { code, stderr } = await runCli(['detect', GERMAN], { under });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^cloudjar: the output cannot be written: ENOSPC[^\n]*\n$/),
  });
});

describe('mistakes are told in one line, with status 2:', () => {
  test.each([
    ['a file that is not there', ['--file', 'nowhere.txt'], /^cloudjar: nowhere\.txt cannot be read: ENOENT/],
    ['a folder', ['--file', '/'], /^cloudjar: \/ is a folder, not a file$/m],
    ['texts and a file', ['--file', 'a.txt', 'text'], /^cloudjar: give either texts or --file/],
    ['two forms of answer', ['--plain', '--json', 'text'], /^cloudjar: --plain and --json exclude each other$/m],
  ])('%s', async (_, args, line) => {
    const { code, stdout, stderr } = await runCli(['detect', ...args], { input: '' });
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(line) });
  });
});

describe('lines', () => {
  /** The lines are the same however the text is split into parts. */
  const split = (text: string, size: number, longest?: number) => {
    const splitter = lineSplitter(longest);
    const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    return [...parts.flatMap((part) => splitter.push(part)), ...splitter.end()];
  };

  test.each([1, 2, 3, 100])('are the same in parts of %i characters', (size) => {
    const text = 'one\r\n\n\r\ntwo\rstill two\nthree\r';
    expect(split(text, size).map((line) => line.text)).toEqual(['one', '', '', 'two\rstill two', 'three']);
  });

  test.each([1, 2, 3, 100])('are cut at the most that is looked at, in parts of %i characters', (size) => {
    expect(split('abcd\r\nabcde\nab😀d\nabc😀\n', size, 4)).toEqual([
      { text: 'abcd', cut: false },
      { text: 'abcd', cut: true },
      { text: 'ab😀', cut: true },
      { text: 'abc', cut: true },
    ]);
    expect(wholeLine('abc😀', 4)).toEqual({ text: 'abc', cut: true });
  });

  test('of bytes that mean nothing are lines all the same', async () => {
    const bytes = async function* () {
      yield Buffer.from([0x61, 0xc3]);
      yield Buffer.from([0xa4, 0x0a, 0xff, 0x0a, 0xe2, 0x82]);
    };
    const lines = (await Array.fromAsync(linesOf(bytes()))).flatMap((batch) => batch.lines);
    expect(lines.map(({ text }) => text)).toEqual(['aä', '\uFFFD', '\uFFFD']);
  });

  test('are read no further when nobody takes the answers', async () => {
    let asked = 0;
    const batches = (function* () {
      for (;;) {
        asked += 1;
        yield { lines: [wholeLine('text')], bytes: 5 };
      }
    })();
    const output = async (): Promise<boolean> => asked < 3;
    expect(await answerLines({ batches, bytes: undefined }, () => 'x', output)).toEqual({ lines: 3, cut: [] });
    expect(asked).toBe(3);
  });

  test('of texts that were given are one each, line feeds or not', async () => {
    let written = '';
    await answerLines(
      givenTexts(['a\nb', '']),
      (text) => String(text.length),
      async (text) => {
        written += text;
        return true;
      },
    );
    expect(written).toBe('3\n0\n');
  });
});

describe('the progress of lines', () => {
  const MEGABYTE = 1024 * 1024;

  function shownFor(bytesInAll: number | undefined): { at: (ms: number, bytes: number, lines: number) => string } {
    let now = 0;
    let written = '';
    const progress = lineProgress({ isTTY: true, write: (text) => (written += text) }, bytesInAll, () => now);
    return {
      at(ms, bytes, lines) {
        now = ms;
        written = '';
        progress.update(bytes, lines);
        return written;
      },
    };
  }

  test('shows how much of it is read, and how fast, once it takes long and not too often', () => {
    const { at } = shownFor(10 * MEGABYTE);
    expect(at(700, MEGABYTE, 7000)).toBe('');
    expect(at(1000, 5 * MEGABYTE, 20_000)).toContain(
      '[###############...............] 50%  5.0 of 10.0 MB, 20,000 lines/s',
    );
    expect(at(1100, 6 * MEGABYTE, 22_000)).toBe('');
    expect(at(2000, 10 * MEGABYTE, 50_000)).toContain('100%  10.0 of 10.0 MB, 25,000 lines/s');
  });

  test('has no bar if the total is unknown', () => {
    expect(shownFor(undefined).at(2000, 3 * MEGABYTE, 1000)).toMatch(/^\r\S+K?3\.0 MB, 500 lines\/s$/);
  });
});
