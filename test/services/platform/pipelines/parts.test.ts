import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { likePattern } from '../../../../src/services/platform/engine/like.ts';
import { datasetsIn } from '../../../../src/services/platform/pipelines/datasets.ts';
import { filterWords } from '../../../../src/services/platform/pipelines/filter-words.ts';
import { healthOf, pipelineState, UPDATE_STATES } from '../../../../src/services/platform/pipelines/states.ts';

describe('the tables that a source defines', () => {
  it.each<[string, string[]]>([
    ['CREATE TABLE a AS SELECT 1', ['a']],
    ['create or refresh streaming table `b`\nas select 1', ['b']],
    ['CREATE OR REFRESH MATERIALIZED VIEW main.sales.c(x INT) AS SELECT 1', ['main.sales.c']],
    ['CREATE TEMPORARY LIVE VIEW d AS SELECT 1; CREATE OR REPLACE TABLE IF NOT EXISTS e', ['d', 'e']],
    ['CREATE SCHEMA f; CREATE FUNCTION g() RETURNS INT; CREATE', []],
    ['CREATE TABLE', []],
    ['@dlt.table\ndef h():\n  pass', ['h']],
    [
      '@dlt.table(\n  name="i",\n  comment="x"\n)\n@dlt.expect("a", "b")\ndef other():\n  pass\ndef no():\n  pass',
      ['i'],
    ],
    ['@dp.materialized_view\ndef j():\n  pass\n@dp.temporary_view()\ndef k():\n  pass', ['j', 'k']],
    ['@dlt.table\ndef l():\n  pass\n@dlt.table\ndef l():\n  pass', ['l']],
    ['@other.table\ndef m():\n  pass', []],
  ])('%s', (source, expected) => expect(datasetsIn(source)).toEqual(expected));

  it('are found in a time that grows with the text only', () => {
    for (const text of ['CREATE ', 'CREATE OR ', ' ', '\n', '@dlt.table\n', 'name="', 'CREATE TABLE a\n'])
      expect(datasetsIn(text.repeat(200_000)).length).toBeLessThan(2);
  });
});

describe('LIKE', () => {
  it.each<[string, string, boolean]>([
    ['%', '', true],
    ['', '', true],
    ['', 'a', false],
    ['a%b%c', 'a-b-b-c', true],
    ['a%b%c', 'a-b-b', false],
    ['_', '😀', true],
    ['__', 'a', false],
    ['\\%', '%', true],
    ['\\%', 'x', false],
    ['a\\', 'a\\', true],
  ])("'%s' and '%s'", (pattern, text, expected) => expect(likePattern(pattern).matches(text)).toBe(expected));

  it('is decided as by a regular expression, and whatever matches has the longest text in it', () => {
    const sign = fc.constantFrom('a', 'b', '%', '_');
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 8 }), fc.array(fc.constantFrom('a', 'b'), { maxLength: 10 }), (p, t) => {
        const [pattern, text] = [p.join(''), t.join('')];
        const like = likePattern(pattern);
        const expected = new RegExp(`^${pattern.replaceAll('%', '.*').replaceAll('_', '.')}$`).test(text);
        expect(like.matches(text)).toBe(expected);
        if (expected) expect(text).toContain(like.longest);
      }),
    );
  });
});

describe('the words of a filter', () => {
  it('are names, quoted texts and signs', () => {
    expect(
      filterWords(`level in ('A',"b''c") AND timestamp>='it''s'`).map(({ is, value }) => `${is} ${value}`),
    ).toEqual([
      'name level',
      'name in',
      'sign (',
      'text A',
      'sign ,',
      "text b''c",
      'sign )',
      'name AND',
      'name timestamp',
      'sign >=',
      "text it's",
    ]);
  });

  it('are read or refused, whatever was sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        try {
          expect(filterWords(text).length).toBeLessThanOrEqual(text.length);
        } catch (error) {
          expect((error as { status: number }).status).toBe(400);
        }
      }),
    );
  });
});

it('every state of an update is a state of its pipeline', () => {
  const states = UPDATE_STATES.map((state) => pipelineState({ latest: [{ state }] }));
  expect(new Set(states)).toEqual(
    new Set(['DEPLOYING', 'STARTING', 'RESETTING', 'RUNNING', 'STOPPING', 'IDLE', 'FAILED']),
  );
  expect(pipelineState({ latest: [] })).toBe('IDLE');
  expect(pipelineState({ latest: [{ state: 'FAILED' }], retry: {} })).toBe('RECOVERING');
  expect(pipelineState({ latest: [{ state: 'RUNNING' }], deletedAt: 1 })).toBe('DELETED');
  expect(healthOf({ latest: [{ state: 'RUNNING' }, { state: 'CANCELED' }, { state: 'FAILED' }] })).toBe('UNHEALTHY');
  expect(healthOf({ latest: [{ state: 'COMPLETED' }, { state: 'FAILED' }] })).toBe('HEALTHY');
});
