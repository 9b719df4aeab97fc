import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventFilter } from '../../../../src/services/events/definition.ts';
import type { GridEvent } from '../../../../src/services/events/event.ts';
import { compileFilter } from '../../../../src/services/events/matching/compile.ts';
import { FilterIndex } from '../../../../src/services/events/matching/scope-index.ts';
import { spellingOf } from '../../../../src/services/events/matching/spelling.ts';
import { filterMistakes } from '../../../../src/services/events/matching/validate.ts';
import { events, filters, TYPES } from './arbitraries.ts';
import { aCloudEvent, aCustomEvent, aFilter, anEvent } from './samples.ts';

const RUNS = process.env.CLOUDJAR_SOAK === '1' ? 20_000 : 300;

/** Enough places, for every type, that the index looks up the event's places first. */
const FILLERS: readonly EventFilter[] = [null, TYPES].flatMap((includedEventTypes) =>
  Array.from({ length: 40 }, (_, i) =>
    aFilter({ includedEventTypes, advancedFilters: [{ operatorType: 'StringIn', key: `data.k${i}`, values: ['a'] }] }),
  ),
);

function bothWays(all: readonly EventFilter[], some: readonly GridEvent[], aliases: readonly string[]): void {
  const spelling = spellingOf(aliases);
  const compiled = all.map((filter, item) => ({ compiled: compileFilter(filter, spelling), item }));
  const index = new FilterIndex(compiled, spelling);
  for (const event of some) {
    const expected = compiled.filter(({ compiled }) => compiled.matches(event)).map(({ item }) => item);
    expect(index.matching(event)).toEqual(expected);
    for (const { compiled: each, item } of compiled)
      expect(each.refusal(event) === undefined).toBe(expected.includes(item));
  }
}

describe('an index over many filters', () => {
  it.each([
    ['few', []],
    ['many', FILLERS],
  ])(
    'gives exactly those that match, in their order, with %s different keys',
    (_, fillers) => {
      fc.assert(
        fc.property(
          fc.array(filters, { maxLength: 40, size: 'max' }),
          fc.array(events, { minLength: 1, maxLength: 5 }),
          fc.constantFrom([], ['Microsoft']),
          (random, some, aliases) => bothWays([...random, ...fillers], some, aliases),
        ),
        // The filler filters are compared too, one by one.
        { numRuns: RUNS / (fillers.length > 0 ? 4 : 1) },
      );
    },
    120_000,
  );

  it.each<[string, GridEvent, string]>([
    ['a native event', anEvent({ data: { a: 'x' } }), 'data.a'],
    ['a native event, in another case', anEvent({ data: { Alpha: { Beta: 'x' } } }), 'DATA.alpha.BETA'],
    ['a native event whose data is a text', anEvent({ data: 'x' }), 'data'],
    ['the envelope', anEvent({ subject: 'x' }), 'Subject'],
    ['a CloudEvent', aCloudEvent({ data: { a: 'x' } }), 'data.A'],
    ['an extension', aCloudEvent({ ext: 'x' }), 'Ext'],
    ['a payload', aCustomEvent({ a: 'x' }), 'A'],
    ['a payload that is data', aCustomEvent({ a: 'x' }), 'data.a'],
    ['data in a payload', aCustomEvent({ data: { a: 'x' } }), 'data.a'],
    [
      'data in a payload that nothing else is known of',
      anEvent({ schema: 'CustomEventSchema', data: { Data: { a: 'x' } } }),
      'data.A',
    ],
    ['elements', anEvent({ data: { a: [1, 'x'] } }), 'data.a'],
  ])('finds among many keys what %s has', (_, event, key) => {
    const filter = aFilter({
      enableAdvancedFilteringOnArrays: true,
      advancedFilters: [{ operatorType: 'StringIn', key, values: ['X'] }],
    });
    const all = [...FILLERS, filter].map((each, item) => ({ compiled: compileFilter(each), item }));
    expect(new FilterIndex(all, spellingOf([])).matching(event)).toEqual([FILLERS.length]);
  });

  it('is tested with filters that clients may send', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        expect(filterMistakes(filter, 'filter')).toEqual([]);
        expect(aFilter(filter)).toEqual(filter);
      }),
    );
  });
});

describe('filters that are evaluated for an event', () => {
  /** Number of filters that are evaluated. */
  function asked(all: readonly object[], event: GridEvent): number {
    let count = 0;
    const spelling = spellingOf([]);
    const counting = all.map((sent, item) => {
      const compiled = compileFilter(aFilter(sent), spelling);
      const accepts: typeof compiled.accepts = (view) => {
        count += 1;
        return compiled.accepts(view);
      };
      return { compiled: { ...compiled, accepts }, item };
    });
    new FilterIndex(counting, spelling).matching(event);
    return count;
  }
  const thousand = (sent: (i: number) => object): object[] => Array.from({ length: 1000 }, (_, i) => sent(i));
  const event = anEvent({ data: { color: 'c7', n: 7, k7: 'x', tags: ['c7', 'c8'], on: true } });
  const advanced = (filter: object, rest: object = {}): object => ({ advancedFilters: [filter], ...rest });

  it.each<[string, (i: number) => object, number]>([
    ['other types', (i) => ({ includedEventTypes: [`T${i}`] }), 0],
    ['other beginnings of subjects', (i) => ({ subjectBeginsWith: `/orders/${i + 1}` }), 1],
    ['other ends of subjects', (i) => ({ subjectEndsWith: `/${i + 1}` }), 1],
    ['other values', (i) => advanced({ operatorType: 'StringIn', key: 'data.color', values: [`c${i}`] }), 1],
    ['other numbers', (i) => advanced({ operatorType: 'NumberIn', key: 'data.n', values: [i] }), 1],
    [
      'other beginnings',
      (i) => advanced({ operatorType: 'StringBeginsWith', key: 'data.color', values: [`c${i}`] }),
      1,
    ],
    ['other ends', (i) => advanced({ operatorType: 'StringEndsWith', key: 'data.color', values: [`c${i}`] }), 1],
    ['other keys', (i) => advanced({ operatorType: 'StringIn', key: `data.k${i}`, values: ['x'] }), 1],
    [
      'other elements of arrays',
      (i) =>
        advanced(
          { operatorType: 'StringIn', key: 'data.tags', values: [`c${i}`] },
          { enableAdvancedFilteringOnArrays: true },
        ),
      2,
    ],
    [
      'a condition that all share, and one that tells them apart',
      (i) => advanced({ operatorType: 'BoolEquals', key: 'data.on', value: true }, { subjectEndsWith: `/${i + 1}` }),
      1,
    ],
    [
      'the same the other way round',
      (i) => advanced({ operatorType: 'NumberIn', key: 'data.n', values: [i] }, { subjectBeginsWith: '/orders' }),
      1,
    ],
  ])('are none of those with %s', (_, sent, expected) => {
    expect(asked(thousand(sent), event)).toBe(expected);
  });
});
