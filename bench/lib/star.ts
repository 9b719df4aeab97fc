import type { Cell, Store } from '../../src/kernel/store/index.ts';
import type { Model, ModelTable } from '../../src/services/datasets/language/index.ts';

const COLORS = ['Red', 'Blue', 'Green', 'Black'];
const PRODUCTS = 1000;
const STORES = 100;
const BATCH = 10_000;

type Column = readonly [name: string, type: ModelTable['columns'][number]['type']];

function tableOf(name: string, columns: readonly Column[]): ModelTable {
  const named = columns.map(([column, type], i) => ({ name: column, type, storage: `c${i + 1}` }));
  return { name, storage: name.toLowerCase(), columns: named, measures: [] };
}

const PRODUCT = tableOf('Product', [
  ['Id', 'int64'],
  ['Name', 'text'],
  ['Color', 'text'],
  ['Price', 'double'],
]);
const STORE = tableOf('Store', [
  ['Id', 'int64'],
  ['City', 'text'],
  ['Region', 'text'],
]);
const SALE = tableOf('Sale', [
  ['Product', 'int64'],
  ['Store', 'int64'],
  ['Qty', 'int64'],
  ['Amount', 'double'],
  ['Kind', 'text'],
]);

const place = (table: ModelTable, column: string) => ({ table: table.name, column });

/** A star schema: sales of products in stores. */
export const STAR: Model = {
  tables: [PRODUCT, STORE, { ...SALE, measures: [{ name: 'Total', expression: 'SUM(Sale[Amount])' }] }],
  relationships: [
    { name: 'product', from: place(SALE, 'Product'), to: place(PRODUCT, 'Id'), both: false },
    { name: 'store', from: place(SALE, 'Store'), to: place(STORE, 'Id'), both: false },
  ],
};

export const saleOf = (n: number): Cell[] => [
  (n * 7919) % PRODUCTS,
  (n * 104_729) % STORES,
  n % 9,
  (n % 1000) * 0.5,
  `Kind ${n % 40}`,
];

/** Writes the star with this many sales to the typed tables of a store. */
export async function fillStar(store: Store, sales: number): Promise<void> {
  await store.transact(async (tx) => {
    for (const { storage, columns } of STAR.tables) {
      const defined = columns.map(({ storage: name, type }, i) => ({
        name,
        type,
        unique: i === 0 && storage !== 'sale',
      }));
      await tx.tables.create({ name: storage, columns: defined });
    }
    const products = Array.from({ length: PRODUCTS }, (_, i) => [
      i,
      `Product ${i}`,
      COLORS[i % COLORS.length]!,
      i * 1.5,
    ]);
    await tx.tables.append('product', products);
    const stores = Array.from({ length: STORES }, (_, i) => [i, `City ${i}`, `Region ${i % 5}`]);
    await tx.tables.append('store', stores);
  });
  for (let at = 0; at < sales; at += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, sales - at) }, (_, i) => saleOf(at + i));
    await store.transact((tx) => tx.tables.append('sale', some));
  }
}
