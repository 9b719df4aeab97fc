import { createHash } from 'node:crypto';
import { MOST_CHARACTERS } from './bounded-text.ts';
import type { Plain } from './functions.ts';
import { problems } from './problem.ts';
import { placeOf, splitBy } from './search.ts';
import { countOf, part } from './signs.ts';
import { simple } from './types.ts';

const STRING = simple('STRING');
const INT = simple('INT');
const BOOLEAN = simple('BOOLEAN');

const bounded = (text: () => string, length: number): string => {
  if (length > MOST_CHARACTERS) throw problems.tooMuch(`a text would have more than ${MOST_CHARACTERS} characters`);
  return text();
};

const one = (of: (text: string) => string): Plain => ({
  takes: ['STRING'],
  gives: STRING,
  of: (text) => of(String(text)),
});

const test = (of: (text: string, part: string) => boolean): Plain => ({
  takes: ['STRING', 'STRING'],
  gives: BOOLEAN,
  of: (text, part) => of(String(text), String(part)),
});

const length: Plain = { takes: ['STRING'], gives: INT, of: (text) => BigInt(countOf(String(text))) };

/** Positions count from 1, negative ones from the end. */
const substring: Plain = {
  takes: (count) => (count === 2 ? ['STRING', 'INT'] : count === 3 ? ['STRING', 'INT', 'INT'] : undefined),
  gives: STRING,
  of(text, from, count) {
    const length = countOf(String(text));
    const start = Number(from) > 0 ? Number(from) - 1 : Number(from) < 0 ? length + Number(from) : 0;
    const end = count === undefined ? length : start + Number(count);
    return part(String(text), Math.max(0, start), Math.max(0, end));
  },
};

const pad = (of: (text: string, count: number, filler: string) => string): Plain => ({
  takes: (count) => (count === 2 ? ['STRING', 'INT'] : count === 3 ? ['STRING', 'INT', 'STRING'] : undefined),
  gives: STRING,
  of: (text, count, filler = ' ') =>
    bounded(() => of(String(text), Math.max(0, Number(count)), String(filler)), Number(count)),
});

const digest = (algorithm: string): Plain => one((text) => createHash(algorithm).update(text).digest('hex'));

export const TEXTS: Readonly<Record<string, Plain>> = {
  upper: one((text) => text.toUpperCase()),
  ucase: one((text) => text.toUpperCase()),
  lower: one((text) => text.toLowerCase()),
  lcase: one((text) => text.toLowerCase()),
  trim: one((text) => text.replace(/^ +/, '').replace(/(?<! ) +$/, '')),
  ltrim: one((text) => text.replace(/^ +/, '')),
  rtrim: one((text) => text.replace(/(?<! ) +$/, '')),
  reverse: one((text) => [...text].reverse().join('')),
  initcap: one((text) => text.toLowerCase().replace(/(?<=^| )\S/gu, (letter) => letter.toUpperCase())),
  md5: digest('md5'),
  sha: digest('sha1'),
  sha1: digest('sha1'),
  length,
  len: length,
  char_length: length,
  character_length: length,
  substring,
  substr: substring,
  left: {
    takes: ['STRING', 'INT'],
    gives: STRING,
    of: (text, count) => part(String(text), 0, Math.max(0, Number(count))),
  },
  right: {
    takes: ['STRING', 'INT'],
    gives: STRING,
    of: (text, count) => (Number(count) <= 0 ? '' : part(String(text), -Number(count))),
  },
  replace: {
    takes: ['STRING', 'STRING', 'STRING'],
    gives: STRING,
    of(text, from, to) {
      if (from === '') return text;
      const parts = splitBy(String(text), String(from));
      const size = String(text).length + (parts.length - 1) * String(to).length;
      return bounded(() => parts.join(String(to)), size);
    },
  },
  repeat: {
    takes: ['STRING', 'INT'],
    gives: STRING,
    of: (text, count) =>
      bounded(() => String(text).repeat(Math.max(0, Number(count))), String(text).length * Number(count)),
  },
  lpad: pad((text, count, filler) => (text.length >= count ? text.slice(0, count) : text.padStart(count, filler))),
  rpad: pad((text, count, filler) => (text.length >= count ? text.slice(0, count) : text.padEnd(count, filler))),
  instr: {
    takes: ['STRING', 'STRING'],
    gives: INT,
    of: (text, part) => BigInt(placeOf(String(text), String(part)) + 1),
  },
  startswith: test((text, part) => text.startsWith(part)),
  endswith: test((text, part) => text.endsWith(part)),
  contains: test((text, part) => placeOf(text, part) >= 0),
};
