import { type Case, kept, refused, table, value } from './case.ts';

const CITY = ['Store[City]'];

const EXAMPLES: readonly Case[] = [
  kept('#120', 'TOPN(2, Sale, Sale[Amount])', 'Sale[No]', [4, 2, 3]),
  kept('#121', 'TOPN(2, Sale, Sale[Amount], DESC, Sale[No], ASC)', 'Sale[No]', [4, 2]),
  kept('#122', 'TOPN(1, Sale, Sale[Amount], ASC)', 'Sale[No]', [6]),
  kept('#123', 'TOPN(0, Sale, Sale[No])', 'Sale[No]', []),
  value('#123', 'COUNTROWS(TOPN(0, Sale, Sale[No]))', null),
  table('#124', 'TOPN(1, VALUES(Store[Region]), [Total])', ['Store[Region]'], [['South']]),
  table('#125', 'UNION(VALUES(Store[City]), {"Bern"})', CITY, [['Bern'], ['Graz'], ['Linz'], ['Bern']]),
  table('#126', 'UNION({1}, {"x"})', ['[Value]'], [['1'], ['x']]),
  refused('#127', 'UNION(Store, {1})', /column/i),
  value('#128', 'CALCULATE(COUNTROWS(ALL(Store[Region])), Store[Region] = "North")', 2),
];

const TOPN: readonly Case[] = [
  table('the best cities', 'TOPN(2, VALUES(Store[City]), [Total])', CITY, [['Graz'], ['Bern']]),
  kept('ties at the last place all come', 'TOPN(1, Store, Store[Region])', 'Store[City]', ['Graz', 'Linz']),
  kept('ascending', 'TOPN(1, Store, Store[Region], 1)', 'Store[City]', ['Bern']),
  kept('blank comes first, ties come behind', 'TOPN(3, T, T[Num], ASC)', 'T[K]', [1, 2, 3, 4]),
  kept('an empty text comes after blank', 'TOPN(1, T, T[Txt], TRUE)', 'T[K]', [4]),
  kept('equal texts tie', 'TOPN(1, T, T[Txt])', 'T[K]', [1, 2]),
  kept('more than there are', 'TOPN(10, Store, Store[Sid])', 'Store[Sid]', [1, 2, 3]),
  kept('fewer than none', 'TOPN(-1, Store, Store[Sid])', 'Store[Sid]', []),
  kept('blank many', 'TOPN(BLANK(), Store, Store[Sid])', 'Store[Sid]', []),
  value('summed up', 'SUMX(TOPN(2, Sale, Sale[Amount]), Sale[Amount])', 40),
  value('without key', 'COUNTROWS(TOPN(2, Sale))', 2),
  value('under a filter', 'CALCULATE(SUMX(TOPN(1, Sale, Sale[Amount]), Sale[No]), Store[City] = "Bern")', 3),
  table(
    'the best product of each region',
    'ADDCOLUMNS(VALUES(Store[Region]), "m", CALCULATE(MAXX(TOPN(1, VALUES(Product[Name]), [Total]), Product[Name])))',
    ['Store[Region]', '[m]'],
    [
      ['North', 'Pan'],
      ['South', 'Lid'],
    ],
  ),
];

const OTHERS: readonly Case[] = [
  table(
    'both spellings of a table',
    "UNION(VALUES('Store'[Region]), DISTINCT(store[REGION]))",
    ['Store[Region]'],
    [['North'], ['South'], ['North'], ['South']],
  ),
  value(
    'a union of one lineage filters',
    'CALCULATE([Total], UNION(CALCULATETABLE(VALUES(Store[City]), Store[Sid] = 1), CALCULATETABLE(VALUES(Store[City]), Store[Sid] = 3)))',
    22,
  ),
  value('distinct rows of a union', 'COUNTROWS(DISTINCT(UNION({1, 2}, {2, 3})))', 3),
  value('distinct pairs', 'COUNTROWS(ALL(Product[Color], Product[Price]))', 5),
  value('distinct rows', 'COUNTROWS(DISTINCT(D))', 1),
  value('rows of a table', 'COUNTROWS(VALUES(D))', 2),
  table('a constructor with blanks', '{1, BLANK(), 2.5}', ['[Value]'], [[1], [null], [2.5]]),
  table(
    'a constructor of measures',
    '{([Total], "t"), ([Rows], "r")}',
    ['[Value1]', '[Value2]'],
    [
      [52, 't'],
      [6, 'r'],
    ],
  ),
  value('a pair in a table', '("South", "Linz") IN SELECTCOLUMNS(Store, Store[Region], Store[City])', true),
  value('a value in a column', '"GRAZ" IN VALUES(Store[City])', true),
  refused('ALL of two tables', 'ALL(Store[City], Product[Name])', /table/i),
  refused('REMOVEFILTERS is no table', 'FILTER(REMOVEFILTERS(Store), TRUE)', /REMOVEFILTERS|table/i),
  refused('VALUES of an expression', 'VALUES(FILTER(Store, TRUE))', /VALUES|column|table/i),
];

const ORDER: readonly Case[] = [
  table(
    'two keys',
    'EVALUATE Store ORDER BY Store[Region] DESC, Store[City]',
    ['Store[Sid]', 'Store[City]', 'Store[Region]'],
    [
      [2, 'Graz', 'South'],
      [3, 'Linz', 'South'],
      [1, 'Bern', 'North'],
    ],
    { ordered: true },
  ),
  table(
    'a new column, blank first',
    'EVALUATE ADDCOLUMNS(VALUES(Store[City]), "t", [Total]) ORDER BY [t]',
    ['Store[City]', '[t]'],
    [
      ['Linz', null],
      ['Bern', 22],
      ['Graz', 30],
    ],
    { ordered: true },
  ),
  table('a measure', 'EVALUATE VALUES(Store[City]) ORDER BY [Total] DESC', CITY, [['Graz'], ['Bern'], ['Linz']], {
    ordered: true,
  }),
  table(
    'an expression',
    'EVALUATE VALUES(Store[Sid]) ORDER BY ABS(Store[Sid] - 2), Store[Sid] DESC',
    ['Store[Sid]'],
    [[2], [3], [1]],
    {
      ordered: true,
    },
  ),
  table('booleans', 'EVALUATE VALUES(T[Flag]) ORDER BY T[Flag]', ['T[Flag]'], [[null], [false], [true]], {
    ordered: true,
  }),
  table('texts', 'EVALUATE VALUES(T[Txt]) ORDER BY T[Txt] DESC', ['T[Txt]'], [['a'], [''], [null]], { ordered: true }),
  table(
    'dates',
    'EVALUATE VALUES(Sale[Day]) ORDER BY Sale[Day] DESC START AT dt"2024-01-31"',
    ['Sale[Day]'],
    [['2024-01-06T00:00:00'], ['2024-01-05T00:00:00']],
    { ordered: true },
  ),
  table(
    'START AT both keys',
    'EVALUATE SELECTCOLUMNS(Store, Store[City], Store[Region]) ORDER BY Store[Region], Store[City] START AT "South", "Linz"',
    ['Store[City]', 'Store[Region]'],
    [['Linz', 'South']],
    { ordered: true },
  ),
  table(
    'START AT the first key',
    'EVALUATE SELECTCOLUMNS(Store, Store[City], Store[Region]) ORDER BY Store[Region], Store[City] START AT "South"',
    ['Store[City]', 'Store[Region]'],
    [
      ['Graz', 'South'],
      ['Linz', 'South'],
    ],
    { ordered: true },
  ),
  table('START AT 0 leaves blank out', 'EVALUATE VALUES(T[Num]) ORDER BY T[Num] START AT 0', ['T[Num]'], [[0], [3]], {
    ordered: true,
  }),
  table('START AT 0 from above', 'EVALUATE VALUES(T[Num]) ORDER BY T[Num] DESC START AT 0', ['T[Num]'], [[0], [null]], {
    ordered: true,
  }),
];

export const TABLES: readonly Case[] = [...EXAMPLES, ...TOPN, ...OTHERS, ...ORDER];
