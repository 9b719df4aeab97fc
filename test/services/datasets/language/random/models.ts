import fc from 'fast-check';
import type { Cell, ColumnType } from '../../../../../src/kernel/store/index.ts';
import type { Model, ModelRelationship } from '../../../../../src/services/datasets/language/model.ts';
import type { Rows } from '../evaluator/database.ts';
import { modelOf, relationship, type TableShape } from '../sample.ts';

/** Tables and relationships: each arrow leads from a child to its parent. */
interface Shape {
  readonly tables: readonly string[];
  readonly arrows: readonly (readonly [child: string, parent: string])[];
}

const shape = (tables: string, ...arrows: readonly string[]): Shape => ({
  tables: [...tables],
  arrows: arrows.map((arrow) => [arrow[0]!, arrow[1]!] as const),
});

/** F and G are facts, A and B their parents, C a parent of A. Simplest shapes first. */
const SHAPES: readonly Shape[] = [
  shape('F'),
  shape('FA', 'FA'),
  shape('FAB', 'FA', 'FB'),
  shape('FAC', 'FA', 'AC'),
  shape('FGA', 'FA', 'GA'),
  shape('FGAB', 'FA', 'GA', 'GB'),
  shape('FGAB', 'FA', 'FB', 'GA', 'GB'),
  shape('FABC', 'FA', 'FB', 'AC'),
  shape('FAG', 'FA'),
];

/** The number of filter paths from one table to another, without repeating a relationship. */
function countPaths(relationships: readonly ModelRelationship[], from: string, to: string): number {
  if (from === to) return 1;
  let paths = 0;
  for (const each of relationships) {
    const others = relationships.filter((other) => other !== each);
    if (each.to.table === from) paths += countPaths(others, each.from.table, to);
    if (each.both && each.from.table === from) paths += countPaths(others, each.to.table, to);
  }
  return paths;
}

function isAmbiguous({ tables, relationships }: Model): boolean {
  return tables.some(({ name: from }) =>
    tables.some(({ name: to }) => from !== to && countPaths(relationships, from, to) > 1),
  );
}

/** The type of a key in the parent and in its children. */
interface KeyTypes {
  readonly own: 'int64' | 'text';
  readonly foreign: 'int64' | 'text' | 'double';
}

const NUMBERS: KeyTypes = { own: 'int64', foreign: 'int64' };
const KEY_TYPES: readonly KeyTypes[] = [NUMBERS, { own: 'text', foreign: 'text' }, { own: 'int64', foreign: 'double' }];

const KEYS: Readonly<Record<KeyTypes['own'], readonly Cell[]>> = { int64: [1, 2, 3, 4], text: ['p', 'Q', 'r', 'S'] };
/** Some values have no parent. */
const FOREIGN_KEYS: Readonly<Record<KeyTypes['foreign'], readonly Cell[]>> = {
  int64: [1, 2, 3, 4, 9, null],
  text: ['p', 'P', 'q', 'R ', 's', 'zz', '', null],
  double: [1, 2, 3, 4, 1.5, null],
};

const VALUES: Readonly<Record<ColumnType, readonly Cell[]>> = {
  int64: [0, 1, 2, 3, -2, null],
  double: [0, 0.5, 1.5, 2, -1, null],
  text: ['x', 'X', 'y', 'Y ', '', 'z', null],
  boolean: [0, 1, null],
  datetime: [45_296, 45_297, 45_323, null],
  decimal: [0, 5_000, 10_000, -20_000, null],
};

const keyOf = (parent: string) => `K${parent}`;

/** Facts have a column of each type, parents a few. */
function columnsOf(table: string, { arrows }: Shape, keys: Readonly<Record<string, KeyTypes>>): TableShape['columns'] {
  const foreign = arrows
    .filter(([child]) => child === table)
    .map(([, parent]) => [keyOf(parent), keys[parent]!.foreign]);
  const isParent = arrows.some(([, parent]) => parent === table);
  const own: [string, ColumnType][] = isParent
    ? [
        [keyOf(table), keys[table]!.own],
        ['Name', 'text'],
        ['Size', 'int64'],
      ]
    : [
        ['Num', 'int64'],
        ['Amt', 'double'],
        ['Fix', 'decimal'],
        ['Txt', 'text'],
        ['Flag', 'boolean'],
        ['Day', 'datetime'],
      ];
  return Object.fromEntries([...own, ...foreign]);
}

/** A model with at most one filter path between any two tables. */
const models: fc.Arbitrary<Model> = fc
  .record({
    number: fc.nat({ max: SHAPES.length - 1 }),
    keyTypes: fc.nat({ max: KEY_TYPES.length - 1 }),
    both: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  })
  .map(({ number, keyTypes, both }) => {
    const shape = SHAPES[number]!;
    const keys = Object.fromEntries(
      shape.tables.map((table): [string, KeyTypes] => [table, table === 'A' ? KEY_TYPES[keyTypes]! : NUMBERS]),
    );
    const tables = Object.fromEntries(
      shape.tables.map((table): [string, TableShape] => [table, { columns: columnsOf(table, shape, keys) }]),
    );
    // Models with the same tables share typed tables, so that a test can reuse them.
    let model = modelOf(`random_${number}_${keyTypes}`, tables, []);
    for (const [place, [child, parent]] of shape.arrows.entries()) {
      const ends = [`${child}[${keyOf(parent)}]`, `${parent}[${keyOf(parent)}]`] as const;
      const candidate = (arrow: string) => ({
        ...model,
        relationships: [...model.relationships, relationship(ends.join(arrow))],
      });
      model = both[place] && !isAmbiguous(candidate(' <-> ')) ? candidate(' <-> ') : candidate(' -> ');
    }
    return isAmbiguous(model)
      ? { ...model, relationships: model.relationships.map((each) => ({ ...each, both: false })) }
      : model;
  });

const MOST_ROWS = 8;

/** Rows with orphans, blanks and duplicates; keys of parents are unique. */
function rowsFor(model: Model): fc.Arbitrary<Rows> {
  const tables = model.tables.map(({ name, columns }) => {
    const isForeign = (column: string) =>
      model.relationships.some(({ from }) => from.table === name && from.column === column);
    const isKey = (column: string) => model.relationships.some(({ to }) => to.table === name && to.column === column);
    const place = columns.findIndex((column) => isKey(column.name));
    const cells = columns.map((column) => {
      const { type } = column;
      if (isKey(column.name)) return fc.constantFrom(...KEYS[type === 'text' ? type : 'int64']);
      if (!isForeign(column.name)) return fc.constantFrom(...VALUES[type]);
      return fc.constantFrom(...FOREIGN_KEYS[type === 'text' || type === 'double' ? type : 'int64']);
    });
    const row = fc.tuple(...cells);
    return place < 0
      ? fc.array(row, { maxLength: MOST_ROWS, size: 'max' })
      : fc.uniqueArray(row, { maxLength: KEYS.int64.length, size: 'max', selector: (each) => each[place] });
  });
  return fc
    .tuple(...tables)
    .map((all) => Object.fromEntries(all.map((rows, place) => [model.tables[place]!.name, rows])));
}

export interface RandomData {
  readonly model: Model;
  readonly rows: Rows;
}

/** Models without measures; the query defines them. */
export const randomData: fc.Arbitrary<RandomData> = models.chain((model) =>
  rowsFor(model).map((rows) => ({ model, rows })),
);
