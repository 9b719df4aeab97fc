import type { ColumnType } from '../../../../src/kernel/store/index.ts';
import type { Model, ModelRelationship, ModelTable } from '../../../../src/services/datasets/language/model.ts';
import type { Rows } from './evaluator/database.ts';

/** A model with its rows; cells are as stored, dates are days since 1899-12-30. */
export interface Sample {
  readonly model: Model;
  readonly rows: Rows;
}

export interface TableShape {
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly measures?: Readonly<Record<string, string>>;
}

/** Parses `Child[key] -> Parent[key]`; `<->` means that filters flow both ways. */
const ARROW = /^(\w+)\[(\w+)\] (<->|->) (\w+)\[(\w+)\]$/;

export function relationship(text: string): ModelRelationship {
  const parts = ARROW.exec(text);
  if (!parts) throw new Error(`not a relationship: ${text}`);
  const [, child, foreignKey, arrow, parent, key] = parts;
  return {
    name: text,
    from: { table: child!, column: foreignKey! },
    to: { table: parent!, column: key! },
    both: arrow === '<->',
  };
}

/** The prefix keeps the names of typed tables distinct between models of one store. */
export function modelOf(
  prefix: string,
  tables: Readonly<Record<string, TableShape>>,
  relationships: readonly string[],
): Model {
  return {
    tables: Object.entries(tables).map(
      ([name, { columns, measures = {} }], place): ModelTable => ({
        name,
        storage: `${prefix}_${place}`,
        columns: Object.entries(columns).map(([column, type], at) => ({ name: column, type, storage: `c${at}` })),
        measures: Object.entries(measures).map(([measure, expression]) => ({ name: measure, expression })),
      }),
    ),
    relationships: relationships.map(relationship),
  };
}

const JANUARY_5 = 45_296;
const JANUARY_6 = 45_297;
const FEBRUARY_1 = 45_323;
const MARCH_1 = 45_352;

const SHOP: Readonly<Record<string, TableShape>> = {
  Product: { columns: { Id: 'int64', Name: 'text', Color: 'text', Price: 'double' } },
  Store: { columns: { Sid: 'int64', City: 'text', Region: 'text' } },
  Sale: {
    columns: { No: 'int64', Pid: 'int64', Sid: 'int64', Qty: 'int64', Amount: 'double', Day: 'datetime' },
    measures: { Total: 'SUM(Sale[Amount])', Rows: 'COUNTROWS(Sale)', Twice: '= [Total] * 2' },
  },
  T: { columns: { K: 'int64', Txt: 'text', Num: 'int64', Flag: 'boolean' } },
  D: { columns: { k: 'int64', v: 'int64' } },
};

const SHOP_ROWS: Rows = {
  Product: [
    [1, 'Cup', 'Red', 2.5],
    [2, 'Pan', 'Blue', 10],
    [3, 'Lid', 'Red', 4],
    [4, 'Rack', null, 20],
  ],
  Store: [
    [1, 'Bern', 'North'],
    [2, 'Graz', 'South'],
    [3, 'Linz', 'South'],
  ],
  Sale: [
    [1, 1, 1, 2, 5, JANUARY_5],
    [2, 1, 2, 4, 10, JANUARY_6],
    [3, 2, 1, 1, 10, FEBRUARY_1],
    [4, 3, 2, 5, 20, FEBRUARY_1],
    [5, 9, 1, 1, 7, MARCH_1],
    [6, null, 3, 3, null, MARCH_1],
  ],
  T: [
    [1, 'a', 3, 1],
    [2, 'A', null, 0],
    [3, '', 0, null],
    [4, null, 3, 1],
  ],
  D: [
    [1, 10],
    [1, 10],
  ],
};

const SNOWFLAKE: Readonly<Record<string, TableShape>> = {
  Category: { columns: { Cid: 'int64', Label: 'text' } },
  Product: { columns: { Id: 'int64', Name: 'text', Cid: 'int64', Price: 'double' } },
  Sale: {
    columns: { No: 'int64', Pid: 'int64', Amount: 'double' },
    measures: { Total: 'SUM(Sale[Amount])', Rows: 'COUNTROWS(Sale)' },
  },
};

const CATEGORIES: Rows[string] = [
  [1, 'Kitchen'],
  [2, 'Garden'],
  [3, 'Toys'],
];

const WHOLE_PRODUCTS: Rows[string] = [
  [1, 'Cup', 1, 2.5],
  [2, 'Pan', 1, 10],
  [3, 'Rake', 2, 4],
];

const SNOWFLAKE_ROWS: Rows = {
  Category: CATEGORIES,
  // Category 9 does not exist, and Glue has no category.
  Product: [...WHOLE_PRODUCTS, [4, 'Nail', 9, 1], [5, 'Glue', null, 3]],
  // Product 8 does not exist, and the last sale has no product.
  Sale: [
    [1, 1, 5],
    [2, 2, 10],
    [3, 3, 20],
    [4, 4, 7],
    [5, 5, 1],
    [6, 8, 2],
    [7, null, 4],
  ],
};

/** Every product has its category, one sale has no product. */
const DEEP_ORPHAN_ROWS: Rows = {
  Category: CATEGORIES,
  Product: WHOLE_PRODUCTS,
  Sale: [
    [1, 1, 5],
    [2, 3, 20],
    [3, 8, 2],
  ],
};

/** The last name is a keyword of the language, so expressions quote it. */
const FACTS: Readonly<Record<string, TableShape>> = {
  Product: { columns: { Id: 'int64', Name: 'text' } },
  Store: { columns: { Sid: 'int64', City: 'text' } },
  Sale: { columns: { Pid: 'int64', Sid: 'int64', Amount: 'double' }, measures: { Total: 'SUM(Sale[Amount])' } },
  Return: { columns: { Pid: 'int64', Sid: 'int64', Pieces: 'int64' }, measures: { Back: "SUM('Return'[Pieces])" } },
};

const FACTS_ROWS: Rows = {
  Product: [
    [1, 'Cup'],
    [2, 'Pan'],
    [3, 'Lid'],
  ],
  Store: [
    [1, 'Bern'],
    [2, 'Graz'],
  ],
  Sale: [
    [1, 1, 5],
    [1, 2, 10],
    [2, 1, 20],
  ],
  // Product 9 does not exist.
  Return: [
    [1, 1, 1],
    [3, 2, 2],
    [9, 1, 4],
  ],
};

const FOLDING: Readonly<Record<string, TableShape>> = {
  Country: { columns: { Code: 'text', Name: 'text' } },
  Visit: { columns: { No: 'int64', Code: 'text', Guests: 'int64' }, measures: { Everybody: 'SUM(Visit[Guests])' } },
};

const FOLDING_ROWS: Rows = {
  Country: [
    ['ch', 'Swiss'],
    ['AT', 'Austria'],
    ['de ', 'Germany'],
  ],
  Visit: [
    [1, 'CH', 2],
    [2, 'ch ', 3],
    [3, 'at', 5],
    [4, 'De', 7],
    [5, ' ch', 1],
    [6, '', 4],
    [7, null, 6],
  ],
};

const WIDE: Readonly<Record<string, TableShape>> = {
  Ledger: { columns: { No: 'int64', Big: 'int64', Money: 'decimal' } },
};

const WIDE_ROWS: Rows = {
  Ledger: [
    [1, 9_007_199_254_740_992n, 1_000],
    [2, 9_007_199_254_740_993n, 2_000],
    [3, null, 123_456_789_012_345_678n],
  ],
};

const STAR = ['Sale[Pid] -> Product[Id]', 'Sale[Sid] -> Store[Sid]'];
const CHAIN = ['Sale[Pid] -> Product[Id]', 'Product[Cid] -> Category[Cid]'];
const BOTH_WAYS = (relationships: readonly string[]) => relationships.map((text) => text.replace('->', '<->'));

/** The sample model of the facts and its variants. */
export const SAMPLES = {
  sample: { model: modelOf('sample', SHOP, STAR), rows: SHOP_ROWS },
  both: { model: modelOf('both', SHOP, [...BOTH_WAYS(STAR.slice(0, 1)), STAR[1]!]), rows: SHOP_ROWS },
  snowflake: { model: modelOf('snowflake', SNOWFLAKE, CHAIN), rows: SNOWFLAKE_ROWS },
  snowflakeBoth: { model: modelOf('snowflake_both', SNOWFLAKE, BOTH_WAYS(CHAIN)), rows: SNOWFLAKE_ROWS },
  deepOrphan: { model: modelOf('deep_orphan', SNOWFLAKE, CHAIN), rows: DEEP_ORPHAN_ROWS },
  facts: {
    model: modelOf('facts', FACTS, [...STAR, 'Return[Pid] -> Product[Id]', 'Return[Sid] -> Store[Sid]']),
    rows: FACTS_ROWS,
  },
  folding: { model: modelOf('folding', FOLDING, ['Visit[Code] -> Country[Code]']), rows: FOLDING_ROWS },
  wide: { model: modelOf('wide', WIDE, []), rows: WIDE_ROWS },
} satisfies Readonly<Record<string, Sample>>;

export type SampleName = keyof typeof SAMPLES;
