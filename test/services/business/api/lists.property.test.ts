import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../benches.ts';
import { type Books, openBooks } from '../support.ts';

/** Compares lists with a simple model: whatever the query, every record appears once, in the requested order. */

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Shown = any;
const RUNS = process.env.CLOUDJAR_SOAK === '1' ? 60 : 25;

type Scalar = string | number | boolean;

interface Property {
  readonly path: string;
  readonly values: readonly Scalar[];
  of(record: Shown): Scalar;
}

const TEXTS = ['', 'a', 'A', 'ab', 'aB', 'Z', 'é', '\u{1F600}', '\uFFFD', "o'x", '%', 'a_', '\\', '10', '9', ' a'];
const NUMBERS = [0, 1, 2.5, 1e14, 0.1, -1];

const property = (path: string, values: readonly Scalar[]): Property => ({
  path,
  values,
  of: (record) => path.split('/').reduce((value, name) => value[name], record),
});

/** Some are in columns of the store, others are not. */
const PROPERTIES = {
  'v2.0': [
    property('number', ['C00010', 'C00200', '']),
    property('displayName', TEXTS),
    property('city', TEXTS),
    property('website', TEXTS),
    property('creditLimit', NUMBERS),
    property('taxLiable', [true, false]),
    property('type', ['Company', 'Person']),
    property('balanceDue', NUMBERS),
  ],
  'v1.0': [
    property('displayName', TEXTS),
    property('address/city', TEXTS),
    property('address/postalCode', TEXTS),
    property('website', TEXTS),
    property('type', ['Company', 'Person']),
  ],
} as const;

/** Texts compare by code points, as in both stores. */
function compare(a: Scalar, b: Scalar): number {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
  return Number(a) - Number(b);
}

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  lt: (order) => order < 0,
  ge: (order) => order >= 0,
};

interface Condition {
  readonly text: string;
  holds(record: Shown): boolean;
}

const literal = (value: Scalar): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : `${value}`;

const comparison = (properties: readonly Property[]): fc.Arbitrary<Condition> =>
  fc.constantFrom(...properties).chain(({ path, values, of }) => {
    const isOrdered = typeof values[0] !== 'boolean' && path !== 'type';
    const operators = isOrdered ? ['eq', 'ne', 'lt', 'ge'] : ['eq', 'ne'];
    return fc.tuple(fc.constantFrom(...operators), fc.constantFrom(...values)).map(([operator, value]) => ({
      text: `${path} ${operator} ${literal(value)}`,
      holds: (record) => COMPARISONS[operator]!(compare(of(record), value)),
    }));
  });

const textFunction = (properties: readonly Property[]): fc.Arbitrary<Condition> =>
  fc
    .tuple(
      fc.constantFrom(...properties.filter(({ values }) => values === TEXTS)),
      fc.constantFrom('contains', 'startswith', 'endswith'),
      fc.constantFrom(...TEXTS),
    )
    .map(([{ path, of }, name, text]) => ({
      text: `${name}(${path},${literal(text)})`,
      holds: (record) => {
        const value = String(of(record));
        if (name === 'contains') return value.includes(text);
        return name === 'startswith' ? value.startsWith(text) : value.endsWith(text);
      },
    }));

const condition = (properties: readonly Property[]): fc.Arbitrary<Condition> => {
  const simple = fc.oneof(comparison(properties), textFunction(properties));
  return fc.oneof(
    simple,
    simple.map(({ text, holds }) => ({ text: `not (${text})`, holds: (record: Shown) => !holds(record) })),
    fc.tuple(simple, simple).map(([one, other]) => ({
      text: `(${one.text}) and (${other.text})`,
      holds: (record: Shown) => one.holds(record) && other.holds(record),
    })),
  );
};

const request = (properties: readonly Property[]) =>
  fc.record(
    {
      filter: condition(properties),
      orders: fc.array(fc.record({ by: fc.constantFrom(...properties), descending: fc.boolean() }), {
        minLength: 1,
        maxLength: 2,
      }),
      top: fc.nat(60),
      skip: fc.nat(20),
      size: fc.integer({ min: 1, max: 30 }),
    },
    { requiredKeys: [] },
  );

onBothStores('a list', (bench) => {
  let isReady = false;
  let books: Books;
  beforeEach(async () => {
    if (isReady) return;
    books = await openBooks(bench);
    for (let i = 0; i < 60; i++) {
      const any = <T>(values: readonly T[], step: number): T => values[(i * step) % values.length] as T;
      await books.make('customers', {
        displayName: any(TEXTS, 1),
        city: any(TEXTS, 3),
        postalCode: any(TEXTS, 7),
        website: any(TEXTS, 5),
        creditLimit: Math.abs(any(NUMBERS, 1)),
        taxLiable: i % 3 === 0,
        type: any(['Company', 'Person'], 1),
      });
    }
    isReady = true;
  });

  it.each(['v2.0', 'v1.0'] as const)(
    'of %s is what was asked for, on all its pages together',
    async (version) => {
      const api = await openBooks(bench, version);
      const all: Shown[] = (await api.get('customers')).body.value;
      await fc.assert(
        fc.asyncProperty(request(PROPERTIES[version]), async ({ filter, orders = [], top, skip = 0, size }) => {
          const options: Record<string, string | undefined> = {
            $filter: filter?.text,
            $orderby:
              orders.map(({ by, descending }) => `${by.path}${descending ? ' desc' : ''}`).join(',') || undefined,
            $top: top === undefined ? undefined : String(top),
            $skip: skip === 0 ? undefined : String(skip),
            $count: 'true',
          };
          const query = Object.entries(options).flatMap(([name, value]) =>
            value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
          );
          const headers: Record<string, string> = size === undefined ? {} : { prefer: `odata.maxpagesize=${size}` };
          const expected = all.filter((record) => filter?.holds(record) ?? true);
          expected.sort((a, b) => {
            for (const { by, descending } of orders) {
              const order = compare(by.of(a), by.of(b));
              if (order !== 0) return descending ? -order : order;
            }
            return 0;
          });
          const wanted = expected.slice(skip, top === undefined ? undefined : skip + top);
          const got: Shown[] = [];
          for (let next: string | undefined = `customers?${query.join('&')}`; next !== undefined; ) {
            const reply = await api.get(next, { headers });
            expect(reply.status, reply.text).toBe(200);
            expect(reply.body['@odata.count']).toBe(expected.length);
            expect(reply.body.value.length).toBeLessThanOrEqual(size ?? all.length);
            got.push(...reply.body.value);
            next = reply.body['@odata.nextLink'];
          }
          const keys = (records: Shown[]) => records.map((record) => orders.map(({ by }) => by.of(record)));
          expect(keys(got)).toEqual(keys(wanted));
          expect(new Set(got.map(({ id }) => id)).size).toBe(wanted.length);
          expect(got.filter((record) => !(filter?.holds(record) ?? true))).toEqual([]);
        }),
        { numRuns: RUNS },
      );
    },
    120_000,
  );
});
