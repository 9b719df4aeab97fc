import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bodyFields, readBody, takeSecrets } from '../../../../src/kernel/arm/body/index.ts';
import { findMistake } from '../../../../src/kernel/values/find-mistake.ts';

const { object, union, list, map, text, word, integer, number, boolean, time, json, resourceId, custom } = bodyFields();

const LEAVES = object({
  text: text({ required: true, pattern: /^[a-z]*$/ }),
  word: word(['One', 'TwoThree'], { ignoreBlanks: true }),
  integer: integer({ min: -5, max: 5 }),
  number: number({ min: 0 }),
  boolean: boolean(),
  time: time(),
  json: json(),
  id: resourceId('Vendor.A/b'),
  custom: custom((given) => typeof given),
});

const BODY = object({
  leaves: LEAVES,
  implied: object({ needed: text({ required: true }) }, { implied: true }),
  list: list(LEAVES, { max: 20 }),
  map: map(LEAVES, { nulls: true }),
  secret: map(text(), { secret: true }),
  union: union('kind', { A: { a: text({ required: true }) }, B: { b: LEAVES } }, { otherwise: { a: text() } }),
});

const NAMES = [
  'leaves',
  'implied',
  'needed',
  'list',
  'map',
  'union',
  'kind',
  'a',
  'b',
  'text',
  'word',
  'integer',
  'time',
  'id',
];
const names = fc.oneof(
  fc.constantFrom(...NAMES, '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', ''),
  fc.mixedCase(fc.constantFrom(...NAMES)),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, '', 'A', 'one', 'twothree', '\0', '\ud800', [], {}),
    fc.string(),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie('any')), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
  ),
})).any;
/** Parsed, as bodies of clients are, so that `__proto__` is an ordinary member. */
const body = value.map((it) => JSON.parse(JSON.stringify(it)) as unknown);

const read = (sent: unknown) => readBody(BODY, sent, { context: undefined });

it('no body makes the parser throw, and every mistake has a code, a path and a message', () => {
  fc.assert(
    fc.property(body, (sent) => {
      const { mistakes, draft } = read(sent);
      for (const { code, message } of mistakes.errors()) {
        expect(code).toBe('InvalidRequestContent');
        expect(message).toMatch(/^The (request body|property '.*' of the request body) .+\.$/s);
      }
      takeSecrets(BODY, draft);
      expect(Object.prototype).not.toHaveProperty('polluted');
      expect(Object.getPrototypeOf(draft)).toBe(Object.prototype);
    }),
    { numRuns: 2000 },
  );
});

it('a parsed body parses to the same value again, whatever the case of its names', () => {
  const recased = (it: unknown, change: (name: string) => string): unknown => {
    if (Array.isArray(it)) return it.map((each) => recased(each, change));
    if (typeof it !== 'object' || it === null) return it;
    return Object.fromEntries(Object.entries(it).map(([name, each]) => [change(name), recased(each, change)]));
  };
  const leaves = fc.record(
    {
      text: fc.constantFrom('a', 'bc'),
      word: fc.mixedCase(fc.constantFrom('One', 'TwoThree', 'Two Three')),
      integer: fc.integer({ min: -5, max: 5 }),
      number: fc.double({ min: 0, max: 1e9, noNaN: true }),
      boolean: fc.boolean(),
    },
    { requiredKeys: ['text'] },
  );
  const right = fc.record(
    {
      implied: fc.constant({ needed: 'x' }),
      leaves,
      list: fc.array(leaves, { maxLength: 3 }),
      union: fc.constant({ kind: 'a', a: 'b' }),
    },
    { requiredKeys: ['implied'] },
  );
  fc.assert(
    fc.property(right, fc.func(fc.boolean()), (sent, isUpper) => {
      const first = read(sent);
      expect(first.mistakes.errors()).toEqual([]);
      expect(read(first.value).value).toEqual(first.value);
      const otherCase = recased(sent, (name) => (isUpper(name) ? name.toUpperCase() : name));
      expect(read(otherCase).value).toEqual(first.value);
    }),
  );
});

it('the parser rejects every body that its schema rejects for a wrong type or a malformed time', async () => {
  const schema = BODY.schema();
  const found: { bySchema: boolean; byReader: boolean }[] = [];
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const bySchema = (await findMistake(schema, sent)) !== undefined;
      const { mistakes } = read(sent);
      const byReader = (mistakes.first('type') ?? mistakes.first('form')) !== undefined;
      // The body parser accepts names in any case, so it may find more than the schema.
      expect({ bySchema, byReader }).not.toEqual({ bySchema: true, byReader: false });
      found.push({ bySchema, byReader });
    }),
    { numRuns: 300, examples: [[{ leaves: [] }], [{ implied: { needed: 'x' } }], [{ leaves: { time: 'x' } }]] },
  );
  expect(found.slice(0, 3)).toEqual([
    { bySchema: true, byReader: true },
    { bySchema: false, byReader: false },
    { bySchema: true, byReader: true },
  ]);
});

it('an endlessly nested body is parsed in bounded time and depth', () => {
  const depth = 100_000;
  const deep = JSON.parse(`{"leaves":{"text":"a","json":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}}`);
  expect(
    read(deep)
      .mistakes.errors()
      .map(({ target }) => target),
  ).toEqual(['implied.needed']);
  const wide = {
    list: Array(500_000).fill({}),
    map: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, 1])),
  };
  const { mistakes } = read(wide);
  expect(mistakes.count).toBe(100_002);
  expect(mistakes.errors()).toHaveLength(50);
});
