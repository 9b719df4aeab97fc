import type { TestContext } from 'vitest';
import { entityShape } from '../../../src/kernel/odata/shape.ts';
import { boolean, collection, number, set, text } from '../../../src/kernel/store/collection.ts';
import { openPostgres } from '../../../src/kernel/store/postgres/store.ts';
import { SQLITE } from '../../../src/kernel/store/sql/dialect.ts';
import { openSqlite } from '../../../src/kernel/store/sqlite/store.ts';
import type { Store } from '../../../src/kernel/store/types.ts';
import { useEmptyDatabase } from '../../support/use-postgres.ts';
import { type Engine, engines } from '../store/contract/engines.ts';

/** A document with a property of every type. */
export interface Sample {
  readonly name?: string | null;
  readonly owner?: string | null;
  readonly id?: string | null;
  readonly size?: number | null;
  readonly price?: number | null;
  readonly on?: boolean | null;
  readonly at?: number | null;
  readonly day?: string | null;
  readonly hour?: string | null;
  readonly wait?: number | null;
  readonly color?: string | null;
  readonly tags?: readonly string[];
  readonly place?: { readonly city?: string | null };
  readonly lines?: readonly { readonly id: string; readonly value: number; readonly parts?: readonly string[] }[];
  readonly note?: string | null;
}

export const samples = collection<Sample>('test.samples', {
  fields: {
    name: text((it) => it.name),
    owner: text((it) => it.owner?.toLowerCase()),
    id: text((it) => it.id),
    size: number((it) => it.size),
    price: number((it) => it.price),
    on: boolean((it) => it.on),
    at: number((it) => it.at),
    day: text((it) => it.day),
    hour: text((it) => it.hour),
    wait: number((it) => it.wait),
    color: text((it) => it.color),
    city: text((it) => it.place?.city),
    tags: set((it) => it.tags ?? []),
    lines: set((it) => (it.lines ?? []).map((line) => line.id)),
  },
  indexes: [['name'], ['size'], ['on', 'size']],
});

export const COLORS = ['Red', 'Green', 'DarkBlue'];

export const shape = entityShape<Sample>({
  name: 'samples',
  collection: samples,
  properties: {
    name: { type: 'Edm.String', field: 'name' },
    owner: { type: 'Edm.String', field: 'owner', ignoreCase: true },
    id: { type: 'Edm.Guid', field: 'id' },
    size: { type: 'Edm.Int32', field: 'size' },
    price: { type: 'Edm.Decimal', field: 'price' },
    on: { type: 'Edm.Boolean', field: 'on' },
    at: { type: 'Edm.DateTimeOffset', field: 'at' },
    day: { type: 'Edm.Date', field: 'day' },
    hour: { type: 'Edm.TimeOfDay', field: 'hour' },
    wait: { type: 'Edm.Duration', field: 'wait' },
    color: { type: { members: COLORS }, field: 'color' },
    place: { type: { properties: { city: { type: 'Edm.String', field: 'city' } } } },
    tags: { type: 'Edm.String', collection: true, field: 'tags' },
    lines: {
      type: {
        properties: {
          id: { type: 'Edm.String' },
          value: { type: 'Edm.Int32' },
          parts: { type: 'Edm.String', collection: true },
        },
      },
      collection: true,
      field: 'lines',
      entry: ({ id, ...others }) => (Object.keys(others).length === 0 ? id : undefined),
    },
    note: { type: 'Edm.String' },
    secret: { type: 'Edm.String', filterable: false },
  },
  navigation: ['children', 'parent'],
  scan: 'bounded',
});

/** In memory, and on a PostgreSQL server. */
export const bothEngines = engines.filter(({ name }) => name !== 'SQLite file');

type Skipping = Pick<TestContext, 'skip'>;
type Documents = ReadonlyMap<string, Sample>;

/** Opens a store with these documents; it is closed after the test. */
export async function openWith(engine: Engine, context: Skipping, documents: Documents): Promise<Store> {
  return filled(await openEmpty(engine, context), documents);
}

export async function openEmpty(engine: Engine, context: Skipping): Promise<Store> {
  const place = await engine.place(context);
  return place.open([samples]);
}

/** Opens a store with these documents for several tests; the caller closes it. */
export async function openLasting({ dialect }: Engine, context: Skipping, documents: Documents): Promise<Store> {
  const declared = { collections: [samples], work: [] };
  if (dialect === SQLITE) return filled(await openSqlite(declared), documents);
  const url = await useEmptyDatabase(context, 'store');
  return filled(await openPostgres({ url, ...declared, report: () => {} }), documents);
}

async function filled(store: Store, documents: Documents): Promise<Store> {
  await store.transact((tx) => tx.putAll(samples, documents));
  return store;
}
