import fc from 'fast-check';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import type { Vault } from '../../../src/kernel/auth/vault.ts';
import { compileFilter, compileOrder } from '../../../src/kernel/odata/compile.ts';
import { Evaluator } from '../../../src/kernel/odata/evaluate.ts';
import { type ListPage, MOST_SKIPPED, type PageRules, readList } from '../../../src/kernel/odata/list.ts';
import { preferredPageSize, type QueryOptions, readQueryOptions } from '../../../src/kernel/odata/query.ts';
import { MOST_SCANNED } from '../../../src/kernel/odata/scan.ts';
import type { Filter, Store } from '../../../src/kernel/store/types.ts';
import { altered } from '../../support/altered.ts';
import { sampleArbitrary } from './arbitraries.ts';
import { bothEngines, openLasting, openWith, type Sample, samples, shape } from './samples.ts';
import { typedFilter } from './typed-filters.ts';

const numRuns = process.env.CLOUDJAR_SOAK === '1' ? 1000 : 100;
const vault = { deriveKey: () => Buffer.alloc(32, 7) } as unknown as Vault;
const TOTAL: PageRules = { size: 4, most: 8, top: 'total' };
const PAGED: PageRules = { size: 4, most: 8, top: 'page' };

interface Asked {
  readonly rules?: PageRules;
  readonly filter?: Filter;
  readonly prefix?: string;
  readonly preferredSize?: number;
  readonly list?: string;
}

const ask = (store: Store, options: QueryOptions, asked: Asked = {}): Promise<ListPage<Sample>> =>
  readList({ store, vault, now: 0, shape, list: '/samples', rules: TOTAL, options, ...asked });

const keys = (page: ListPage<Sample>): string => page.items.map(({ key }) => key).join(' ');

async function walk(store: Store, options: QueryOptions, asked: Asked = {}): Promise<string[]> {
  const pages: string[] = [];
  let skipToken: string | undefined;
  do {
    const page = await ask(store, { ...options, skipToken }, asked);
    pages.push(keys(page));
    skipToken = page.skipToken;
  } while (skipToken !== undefined);
  return pages;
}

/** `k0` to `k9`: sizes 0 to 9, a note on all but every third. */
const TEN = new Map<string, Sample>(
  Array.from({ length: 10 }, (_, i) => [
    `k${i}`,
    { size: i, name: `n${9 - i}`, note: i % 3 === 0 ? null : `note ${i}` },
  ]),
);

for (const engine of bothEngines) {
  describe(`${engine.name}: a list`, () => {
    let opened: Store | undefined;
    /** A shared store for tests that only read the ten documents. */
    const ten = async (context: Pick<TestContext, 'skip'>): Promise<Store> => {
      opened ??= await openLasting(engine, context, TEN);
      return opened;
    };
    afterAll(() => opened?.close());

    it('has pages of the default size, or of the size that the client prefers', async (context) => {
      const store = await ten(context);
      expect(await walk(store, {})).toEqual(['k0 k1 k2 k3', 'k4 k5 k6 k7', 'k8 k9']);
      expect(await walk(store, {}, { preferredSize: 6 })).toEqual(['k0 k1 k2 k3 k4 k5', 'k6 k7 k8 k9']);
      expect((await ask(store, {}, { preferredSize: 100 })).items).toHaveLength(8);
    });

    it('has as many as $top says on all of its pages together', async (context) => {
      const store = await ten(context);
      expect(await walk(store, { top: 6 })).toEqual(['k0 k1 k2 k3', 'k4 k5']);
      expect(await walk(store, { top: 4 })).toEqual(['k0 k1 k2 k3']);
      expect(await walk(store, { top: 0, count: true })).toEqual(['']);
      expect(await walk(store, { top: 1000 })).toHaveLength(3);
    });

    it('or on each page, where that is the custom', async (context) => {
      const store = await ten(context);
      expect(await walk(store, { top: 6 }, { rules: PAGED })).toEqual(['k0 k1 k2 k3 k4 k5', 'k6 k7 k8 k9']);
      expect((await ask(store, { top: 100 }, { rules: PAGED })).items).toHaveLength(8);
    });

    it('skips as many as $skip says, only once', async (context) => {
      const store = await ten(context);
      expect(await walk(store, { skip: 3 })).toEqual(['k3 k4 k5 k6', 'k7 k8 k9']);
      expect(await walk(store, { skip: 3, top: 5 })).toEqual(['k3 k4 k5 k6', 'k7']);
      expect(await walk(store, { skip: 100 })).toEqual(['']);
      expect(await walk(store, { skip: 2, filter: 'note ne null' })).toEqual(['k4 k5 k7 k8']);
      await expect(ask(store, { skip: MOST_SKIPPED + 1 })).rejects.toMatchObject({
        option: '$skip',
        code: 'InvalidValue',
      });
    });

    it('is ordered and filtered, and counts the matches on all pages', async (context) => {
      const store = await ten(context);
      expect(await walk(store, { orderBy: 'size desc', filter: 'size lt 6' })).toEqual(['k5 k4 k3 k2', 'k1 k0']);
      expect(await ask(store, { filter: 'size lt 6', count: true, top: 1 })).toMatchObject({ count: 6 });
      expect(await ask(store, { filter: 'note eq null', count: true, top: 1 })).toMatchObject({ count: 4 });
      expect(await walk(store, { filter: "contains(note,'note')", orderBy: 'name' })).toEqual(['k8 k7 k5 k4', 'k2 k1']);
    });

    it('never contains items outside of its scope', async (context) => {
      const store = await openWith(engine, context, new Map([...TEN, ['x1', { size: 1 }]]));
      expect(await walk(store, { filter: 'size eq 1' }, { prefix: 'x' })).toEqual(['x1']);
      const filter: Filter = { op: 'gt', field: 'size', value: 7 };
      expect(await walk(store, { filter: 'size lt 9 or size eq 1' }, { filter })).toEqual(['k8']);
    });

    it('takes a token back for the same list only, and no other', async (context) => {
      const store = await ten(context);
      const options = { filter: 'size ge 0', orderBy: 'size', select: 'size' };
      const { skipToken } = await ask(store, options);
      expect(keys(await ask(store, { ...options, skipToken }))).toBe('k4 k5 k6 k7');
      const refused = (changed: QueryOptions, asked: Asked = {}) =>
        expect(ask(store, { ...options, skipToken, ...changed }, asked)).rejects.toMatchObject({
          code: 'InvalidToken',
        });
      await refused({ filter: 'size ge 1' });
      await refused({ orderBy: 'size desc' });
      await refused({ select: 'name' });
      await refused({ skip: 1 });
      await refused({}, { list: '/others' });
      for (const made of [
        '',
        'AAAA',
        'x'.repeat(100_000),
        `${skipToken}A`,
        skipToken!.slice(0, -2),
        altered(skipToken!),
      ])
        await refused({ skipToken: made });
    });

    it('reads a limited number of documents per page, and continues after them', async (context) => {
      const many = new Map<string, Sample>(
        Array.from({ length: MOST_SCANNED + 1500 }, (_, i) => [`k${String(i).padStart(6, '0')}`, { size: i % 2 }]),
      );
      const last = `k${String(MOST_SCANNED + 1499).padStart(6, '0')}`;
      many.set(last, { size: 1, note: 'here' });
      const store = await openWith(engine, context, many);
      expect(await walk(store, { filter: "note eq 'here'" })).toEqual(['', last]);
      // Half of the filter uses the index, so one page is enough.
      expect(await walk(store, { filter: "note eq 'here' and size eq 1" })).toEqual([last]);
      expect(await ask(store, { filter: "note eq 'here'", count: true })).toMatchObject({ count: 1, items: [] });
      expect(await walk(store, { filter: 'note ne null or size eq 0', skip: 5749, top: 3 })).toEqual([
        '',
        `k${String(MOST_SCANNED + 1498).padStart(6, '0')} ${last}`,
      ]);
    });

    it('neither repeats nor misses lasting documents, for any query, while others come and go', async (context) => {
      const lasting = new Map(
        fc.sample(sampleArbitrary, { numRuns: 25, seed: 11 }).map((document, i) => [`k${10 + i}`, document]),
      );
      const store = await openWith(engine, context, lasting);
      const evaluator = new Evaluator(samples);
      const orders = fc.uniqueArray(fc.constantFrom('name', 'size', 'on', 'at', 'owner'), { maxLength: 2 });
      await fc.assert(
        fc.asyncProperty(
          typedFilter,
          orders,
          fc.boolean(),
          fc.array(sampleArbitrary, { maxLength: 6 }),
          async (filter, by, descending, coming) => {
            const orderBy =
              by.length === 0 ? undefined : by.map((name) => `${name}${descending ? ' desc' : ''}`).join();
            const { predicate } = compileFilter(shape, filter, 0);
            if (orderBy !== undefined) compileOrder(shape, orderBy);
            const seen: string[] = [];
            const added: string[] = [];
            let skipToken: string | undefined;
            for (let round = 0; ; round++) {
              const page = await ask(store, { filter, orderBy, skipToken });
              seen.push(...page.items.map(({ key }) => key));
              skipToken = page.skipToken;
              if (skipToken === undefined) break;
              await store.transact(async (tx) => {
                const goes = added.shift();
                if (goes !== undefined) await tx.delete(samples, goes);
                const document = coming[round];
                if (!document) return;
                const key = `${round % 2 === 0 ? 'j' : 'k2'}-new-${round}`;
                await tx.put(samples, key, document);
                added.push(key);
              });
            }
            await store.transact(async (tx) => {
              for (const key of added) await tx.delete(samples, key);
            });
            expect(new Set(seen).size).toBe(seen.length);
            const stayed = [...lasting]
              .filter(([, document]) => evaluator.matches(predicate, document))
              .map(([key]) => key);
            expect(seen.filter((key) => lasting.has(key)).sort()).toEqual(stayed.sort());
          },
        ),
        { numRuns },
      );
    });
  });
}

describe('query options', () => {
  it('have names with and without $, in any casing', () => {
    expect(
      readQueryOptions({
        $Filter: 'a eq 1',
        orderby: 'a',
        $SELECT: 'a',
        Expand: 'b',
        $top: '5',
        SKIP: '2',
        $count: 'TRUE',
        $skipToken: 'x',
        $search: '"y"',
        'api-version': '1',
      }),
    ).toEqual({
      filter: 'a eq 1',
      orderBy: 'a',
      select: 'a',
      expand: 'b',
      top: 5,
      skip: 2,
      count: true,
      skipToken: 'x',
      search: '"y"',
    });
    expect(readQueryOptions({ $inlinecount: 'allpages', $filter: ' ', $orderby: '' })).toEqual({ count: true });
  });

  it.each([
    [{ $top: '-1' }, '$top'],
    [{ $top: '' }, '$top'],
    [{ $top: '1.5' }, '$top'],
    [{ $skip: '9999999999' }, '$skip'],
    [{ $count: 'yes' }, '$count'],
    [{ $filter: ['a', 'b'] }, '$filter'],
    [{ $filter: 'a', filter: 'b' }, '$filter'],
  ])('%j is refused', (query, option) => {
    expect(() => readQueryOptions(query)).toThrow(expect.objectContaining({ option }));
  });

  it('a preferred size of pages is found among other preferences', () => {
    expect(preferredPageSize('odata.maxpagesize=50')).toBe(50);
    expect(preferredPageSize('return=minimal, odata.maxpagesize=5; x')).toBe(5);
    expect(preferredPageSize(['a', 'maxpagesize="7"'])).toBe(7);
    for (const other of [
      undefined,
      '',
      'odata.maxpagesize=0',
      'odata.maxpagesize=-3',
      'xmaxpagesize=5',
      'maxpagesize=5x',
    ])
      expect(preferredPageSize(other)).toBeUndefined();
  });
});
