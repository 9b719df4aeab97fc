import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  checkBounds,
  JSON_BOUNDS,
  JsonBoundsError,
  jsonMistake,
  parseJson,
} from '../../../src/kernel/values/parse-json.ts';

const bounds = { depth: 3, names: 4, values: 6, bytes: 1000 };
const parse = (text: string): unknown => parseJson(Buffer.from(text), bounds);

describe('JSON within its bounds', () => {
  it.each([
    ['as deep as it may be', '[[[1]]]'],
    ['as many names', '{"a":{"b":1},"c":{"d":2}}'],
    ['as many values', '[1,2,3,4,5,6]'],
    ['brackets, commas and colons in texts', `{"a":"[[[[,,,,,,,::::{{{{"}`],
    ['quotes and backslashes in texts', String.raw`{"a\"[[[[":"\\","b":"\\\"[[[["}`],
    ['escaped quotes in long texts', `{"a":"${'x'.repeat(100)}\\"${'[,:'.repeat(50)}\\\\"}`],
  ])('is parsed: %s', (_, text) => expect(parse(text)).toEqual(JSON.parse(text)));

  it('is parsed with a byte order mark', () => expect(parse('\uFEFF{"a":1}')).toEqual({ a: 1 }));

  it('is the same whatever is in it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is refused exactly if it exceeds a limit', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const counted = count(value);
        const { depth, names, values } = counted;
        const bytes = Buffer.from(JSON.stringify(value));
        const exact = { depth, names, values: values + 1, bytes: bytes.length };
        expect(() => checkBounds(bytes, exact)).not.toThrow();
        if (depth > 0) expect(() => checkBounds(bytes, { ...exact, depth: depth - 1 })).toThrow(JsonBoundsError);
        if (names > 0) expect(() => checkBounds(bytes, { ...exact, names: names - 1 })).toThrow(JsonBoundsError);
        if (values > 0) expect(() => checkBounds(bytes, { ...exact, values })).toThrow(JsonBoundsError);
      }),
    );
  });
});

/** Counts levels, names and commas. */
function count(value: unknown): { depth: number; names: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, names: 0, values: 0 };
  const below = Object.values(value).map(count);
  return {
    depth: 1 + Math.max(0, ...below.map(({ depth }) => depth)),
    names: (Array.isArray(value) ? 0 : below.length) + below.reduce((sum, { names }) => sum + names, 0),
    values: Math.max(0, below.length - 1) + below.reduce((sum, { values }) => sum + values, 0),
  };
}

describe('JSON beyond its bounds is not parsed', () => {
  it.each([
    ['is nested more than 3 levels deep', '[[[[1]]]]'],
    ['has more than 4 names of members', '{"a":1,"b":1,"c":1,"d":1,"e":1}'],
    ['has more than 6 values', '[1,2,3,4,5,6,7]'],
    ['has more than 1000 bytes of JSON', `"${'x'.repeat(1000)}"`],
  ])('%s', (reason, text) => {
    const parser = vi.spyOn(JSON, 'parse');
    try {
      expect(() => parse(text)).toThrow(new JsonBoundsError(reason));
      expect(parser).not.toHaveBeenCalled();
    } finally {
      parser.mockRestore();
    }
  });

  it('is told as a sentence, and so is what is no JSON', () => {
    expect(jsonMistake(new JsonBoundsError('has too much'))).toBe('The request body has too much.');
    expect(jsonMistake(new SyntaxError('Unexpected end'), 'The batch')).toBe(
      'The batch is not valid JSON: Unexpected end.',
    );
  });

  it('costs no more than its beginning: a million names are refused after the first thousands', () => {
    const names = Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":1`).join(',');
    expect(() => parseJson(Buffer.from(`{${names}}`))).toThrow(`more than ${JSON_BOUNDS.names} names`);
  });
});
