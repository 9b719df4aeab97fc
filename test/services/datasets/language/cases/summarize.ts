import { type Case, DUPLICATE, refused, table, value } from './case.ts';

const EXAMPLES: readonly Case[] = [
  table('#111', 'SUMMARIZE(Sale, Product[Color])', ['Product[Color]'], [['Red'], ['Blue'], [null]]),
  table(
    '#112',
    'SUMMARIZE(Sale, Store[City], "t", SUM(Sale[Amount]))',
    ['Store[City]', '[t]'],
    [
      ['Bern', 22],
      ['Graz', 30],
      ['Linz', null],
    ],
  ),
  table(
    '#113',
    'SUMMARIZE(FILTER(Sale, Sale[Qty] > 4), Store[City], "t", SUM(Sale[Amount]))',
    ['Store[City]', '[t]'],
    [['Graz', 20]],
  ),
  table(
    '#114',
    'ADDCOLUMNS(SUMMARIZE(FILTER(Sale, Sale[Qty] > 4), Store[City]), "t", [Total])',
    ['Store[City]', '[t]'],
    [['Graz', 30]],
  ),
  table('#115', 'SUMMARIZE(Product, Product[Color])', ['Product[Color]'], [['Red'], ['Blue'], [null]]),
  refused('#116', 'SUMMARIZE(Product, Sale[Qty])', /SUMMARIZE/),
  table('#117', 'SELECTCOLUMNS(Sale, "d", MONTH(Sale[Day]))', ['[d]'], [[1], [1], [2], [2], [3], [3]]),
  table('#118', 'DISTINCT(SELECTCOLUMNS(Sale, "d", MONTH(Sale[Day])))', ['[d]'], [[1], [2], [3]]),
  table(
    '#119',
    'CALCULATETABLE(SUMMARIZE(Sale, Store[City]), Product[Color] = "Red")',
    ['Store[City]'],
    [['Bern'], ['Graz']],
  ),
];

const OWN: readonly Case[] = [
  table(
    'columns of two parents',
    'SUMMARIZE(Sale, Store[Region], Product[Color], "n", COUNTROWS(Sale))',
    ['Store[Region]', 'Product[Color]', '[n]'],
    [
      ['North', 'Red', 1],
      ['North', 'Blue', 1],
      ['North', null, 1],
      ['South', 'Red', 2],
      ['South', null, 1],
    ],
  ),
  table(
    'a measure in a pair sees the rows of the group',
    'SUMMARIZE(FILTER(Sale, Sale[Qty] > 1), Store[City], "t", [Total])',
    ['Store[City]', '[t]'],
    [
      ['Bern', 5],
      ['Graz', 30],
      ['Linz', null],
    ],
  ),
  table(
    'a group column in a pair',
    'SUMMARIZE(Sale, Sale[Qty], "t", Sale[Qty] * COUNTROWS(Sale))',
    ['Sale[Qty]', '[t]'],
    [
      [1, 2],
      [2, 2],
      [3, 3],
      [4, 4],
      [5, 5],
    ],
  ),
  table(
    'a pair that frees its group',
    'SUMMARIZE(Store, Store[Region], "n", CALCULATE(COUNTROWS(Store), ALL(Store)))',
    ['Store[Region]', '[n]'],
    [
      ['North', 3],
      ['South', 3],
    ],
  ),
  table(
    'products of the group, which the rows of facts expand to',
    'SUMMARIZE(Sale, Store[City], "n", COUNTROWS(Product))',
    ['Store[City]', '[n]'],
    [
      ['Bern', 2],
      ['Graz', 2],
      ['Linz', null],
    ],
  ),
  table(
    'a grouped table of values',
    'SUMMARIZE(VALUES(Product), Product[Color], "n", COUNTROWS(VALUES(Product)))',
    ['Product[Color]', '[n]'],
    [
      ['Red', 2],
      ['Blue', 1],
      [null, 2],
    ],
  ),
  table(
    'groups of a computed column',
    'SUMMARIZE(ADDCOLUMNS(Sale, "b", Sale[Qty] > 2), [b], "t", [Total], "n", COUNTROWS(Sale))',
    ['[b]', '[t]', '[n]'],
    [
      [false, 22, 3],
      [true, 30, 3],
    ],
  ),
  table(
    'groups of a computed column and of a parent',
    'SUMMARIZE(ADDCOLUMNS(Sale, "b", Sale[Qty] > 2), [b], Sale[Sid], "t", SUM(Sale[Amount]))',
    ['[b]', 'Sale[Sid]', '[t]'],
    [
      [false, 1, 22],
      [true, 2, 30],
      [true, 3, null],
    ],
  ),
  table('a computed column alone', 'SUMMARIZE(ADDCOLUMNS(Sale, "b", Sale[Qty] > 2), [b])', ['[b]'], [[false], [true]]),
  table(
    'a group in a pair of computed rows',
    'SUMMARIZE(SELECTCOLUMNS({1, 2, 3}, "v", MOD([Value], 2)), [v], "w", [v] * 10)',
    ['[v]', '[w]'],
    [
      [0, 0],
      [1, 10],
    ],
  ),
  table(
    'a column of the table without its name',
    'SUMMARIZE(Store, [Region])',
    ['Store[Region]'],
    [['North'], ['South']],
  ),
  table('nothing to group by', 'SUMMARIZE(Sale, "t", [Total])', ['[t]'], [[52]]),
  table('nothing to group by, and no rows', 'SUMMARIZE(FILTER(Sale, FALSE), "t", [Total])', ['[t]'], []),
  refused('a table alone', 'SUMMARIZE(Store)', /few arguments/, { compilerOnly: true }),
  refused('an unknown group', 'SUMMARIZE(Sale, [City])', /\[City\].*not found/, { compilerOnly: true }),
  refused('the name of a column of the table', 'ADDCOLUMNS(Store, "city", 1)', DUPLICATE),
  refused('the name of a group', 'SUMMARIZE(Sale, Store[City], "City", 1)', DUPLICATE),
  refused('a name twice', 'ADDCOLUMNS(Store, "a", 1, "a", 2)', DUPLICATE),
  value('new columns multiply', 'SUMX(SELECTCOLUMNS(Sale, "a", Sale[Amount], "b", Sale[Qty]), [a] * [b])', 167),
  table(
    'a renamed column still filters',
    'ADDCOLUMNS(SELECTCOLUMNS(Store, "c", Store[City]), "t", [Total])',
    ['[c]', '[t]'],
    [
      ['Bern', 22],
      ['Graz', 30],
      ['Linz', null],
    ],
  ),
  table(
    'a computed column does not',
    'ADDCOLUMNS(SELECTCOLUMNS(Store, "c", Store[City] & ""), "t", [Total])',
    ['[c]', '[t]'],
    [
      ['Bern', 52],
      ['Graz', 52],
      ['Linz', 52],
    ],
  ),
  value(
    'a column of an outer row filters too',
    'SUMX(VALUES(Store[City]), CALCULATE([Total], ALL(Store), SELECTCOLUMNS(Product, "p", Product[Name], "c", Store[City])))',
    45,
  ),
  value(
    'a column of an outer row in a table without rows lets nothing through',
    'SUMX(VALUES(Store[City]), CALCULATE(COUNTROWS(Store), KEEPFILTERS(SELECTCOLUMNS(FILTER(Product, FALSE), "p", Product[Name], "c", Store[City]))))',
    null,
  ),
  // Pairs of any city and the outer row's city: only pairs with equal cities are rows of the model.
  value(
    'a column of the model that is there twice filters by both',
    'SUMX(VALUES(Store[City]), CALCULATE([Total], ALL(Store), SELECTCOLUMNS(SELECTCOLUMNS(Store, "o", Store[City]), "a", [o], "b", Store[City])))',
    52,
  ),
  refused(
    'a renamed column has its new name alone',
    'ROW("x", COUNTX(SELECTCOLUMNS(Store, "c", Store[City]), Store[City]))',
    /single value.*'City'/i,
  ),
  refused(
    'a renamed column is no related one',
    'ROW("x", COUNTX(SELECTCOLUMNS(Store, "c", Store[City]), RELATED(Store[City])))',
    /relationship to any table/,
  ),
  refused(
    'a renamed column is no group by its old name',
    'SUMMARIZE(SELECTCOLUMNS(Store, "c", Store[City]), Store[City])',
    /not found in the input table/,
  ),
  table(
    'RELATED passes over renamed columns to the rows around them',
    'ADDCOLUMNS(SUMMARIZE(FILTER(Sale, Sale[No] < 4), Sale[No]), "x", SUMX(RELATEDTABLE(Sale), SUMX(SELECTCOLUMNS(Store, "i", Store[Sid]), RELATED(Store[Sid]))))',
    ['Sale[No]', '[x]'],
    [
      [1, 3],
      [2, 6],
      [3, 3],
    ],
  ),
  refused(
    'a column of an outer row without a name',
    'ADDCOLUMNS(VALUES(Store[City]), "n", COUNTROWS(SELECTCOLUMNS(Product, Store[City])))',
    /needs a name|name of a column/,
  ),
  table('duplicates stay', 'SELECTCOLUMNS(Store, Store[Region])', ['Store[Region]'], [['North'], ['South'], ['South']]),
];

export const SUMMARIZE: readonly Case[] = [...EXAMPLES, ...OWN];
