import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bosnianSpelling } from '../../../tools/detector/bosnian.ts';
import { wordSampler } from '../../../tools/detector/lingua.ts';
import { splitLines } from '../../../tools/detector/pools.ts';
import { seededRandom } from '../../../tools/detector/random.ts';
import { trainSystem } from '../../../tools/detector/train-system.ts';

const PLAN = { features: 2000, words: 500, examples: 3000, refinements: 500, weights: 1500 };
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloudjar-detector-'));
  mkdirSync(join(folder, 'common-voice'));
  for (const [language, words] of [
    ['he', 'שלום ירושלים ספר מלך'],
    ['yi', 'וואס האט געזאגט אויפן'],
  ] as const) {
    const lines = Array.from({ length: 60 }, (_, at) =>
      words
        .split(' ')
        .map((word, index) => word.repeat(1 + ((at + index) % 2)))
        .join(' '),
    );
    writeFileSync(
      join(folder, 'common-voice', `${language}.txt`),
      lines.map((line, at) => `${line} ${'א'.repeat(at % 7)}`).join('\n'),
    );
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function trained(name: string): Buffer[] {
  const folders = {
    commonVoice: join(folder, 'common-voice'),
    text: join(folder, 'text'),
    drawn: join(folder, 'drawn'),
  };
  trainSystem('Hebr', PLAN, folders, join(folder, name));
  return ['keys', 'weights', 'json'].map((kind) => readFileSync(join(folder, name, `Hebr.${kind}`)));
}

describe('Training', () => {
  it('gives the same weights from the same texts', () => {
    const first = trained('first');
    expect(first[0]?.length).toBeGreaterThan(0);
    expect(trained('second')).toEqual(first);
  });

  it('keeps the last lines of a file for measuring and those before them for tuning', () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`);
    const { training, tuning, heldOut } = splitLines(lines);
    expect([training.length, tuning.length, heldOut.length]).toEqual([80, 10, 10]);
    expect(heldOut).toEqual(lines.slice(90));
    expect([...training, ...tuning, ...heldOut]).toEqual(lines);
  });
});

describe('Words drawn from letter models', () => {
  it('begin and end as the words did that the model was made from', () => {
    // A model of running text that contains the words "ab" and "abc" equally often.
    const model = [
      new Map([
        ['a', 2 / 5],
        ['b', 2 / 5],
        ['c', 1 / 5],
      ]),
      new Map([
        ['ab', 1],
        ['bc', 1 / 2],
      ]),
      new Map([['abc', 1 / 2]]),
    ];
    const next = wordSampler(model, seededRandom(1));
    const drawn = Array.from({ length: 2000 }, next);
    expect(new Set(drawn)).toEqual(new Set(['ab', 'abc']));
    expect(drawn.filter((word) => word === 'ab').length / drawn.length).toBeCloseTo(0.5, 1);
  });
});

describe('Serbian respelled as Bosnian', () => {
  const respell = bosnianSpelling(
    ['mlijeko\t40', 'gdje\t90', 'selo\t30', 'vrijeme\t2', 'sveto\t50'],
    ['mleko\t50', 'sveto\t5'],
  );

  it('has the spelling that is found in Bosnian', () => {
    expect(respell('Gde je mleko?')).toBe('gdje je mlijeko?');
  });

  it('leaves alone what is not found there often enough, or is spelt alike', () => {
    expect(respell('vreme, selo, sveto, drvo')).toBe('vreme, selo, sveto, drvo');
  });
});
