import { type Case, kept, refused, table, value } from './case.ts';

const CITY_AND_N = ['Store[City]', '[n]'];
const CITY_AND_X = ['Store[City]', '[x]'];
const EACH_CITY_3_2_1 = [
  ['Bern', 3],
  ['Graz', 2],
  ['Linz', 1],
];

const CONTEXTS: readonly Case[] = [
  table('#73', 'ADDCOLUMNS(VALUES(Store[City]), "n", COUNTROWS(Sale))', CITY_AND_N, [
    ['Bern', 6],
    ['Graz', 6],
    ['Linz', 6],
  ]),
  table('#74', 'ADDCOLUMNS(VALUES(Store[City]), "n", CALCULATE(COUNTROWS(Sale)))', CITY_AND_N, EACH_CITY_3_2_1),
  table('#74', 'ADDCOLUMNS(VALUES(Store[City]), "n", [Rows])', CITY_AND_N, EACH_CITY_3_2_1),
  value('#75', 'SUMX(VALUES(Store[Region]), CALCULATE(MAX(Sale[Amount])))', 30),
  value('#76', 'SUMX(D, CALCULATE(SUM(D[v])))', 40),
  refused('#77', 'EVALUATE {SUMX(VALUES(Store[City]), Store[Sid])}', /single value.*'Sid'/i, { at: [1, 37] }),
  value('#78', 'MAXX(Sale, SUM(Sale[Amount]))', 52),
  value('#79', 'SUMX(ADDCOLUMNS(VALUES(Store[City]), "h", [Total] / 2), [h])', 26),
  value('#80', 'SUMX(Sale, CALCULATE(SUM(Sale[Amount]), Sale[Amount] = Sale[Amount] * 1))', 52),
];

const CALCULATE: readonly Case[] = [
  value('#81', 'CALCULATE([Total], Product[Color] = "Red")', 35),
  value('#82', 'CALCULATE([Total], Product[Color] = "Red", Store[Region] = "South")', 30),
  value('#83', 'CALCULATE(CALCULATE([Total], Product[Color] = "Blue"), Product[Color] = "Red")', 10),
  value('#84', 'CALCULATE(CALCULATE([Total], KEEPFILTERS(Product[Color] = "Blue")), Product[Color] = "Red")', null),
  value('#85', 'CALCULATE(CALCULATE([Total], Product[Name] = "Cup"), Product[Color] = "Blue")', null),
  value('#86', 'CALCULATE([Total], Product[Color] IN {"Red","Blue"}, Product[Color] = "Blue")', 10),
  value(
    '#87',
    'CALCULATE(CALCULATE([Total], ALL(Product[Color])), Product[Color] = "Red", Store[Region] = "North")',
    22,
  ),
  value('#88', 'CALCULATE(CALCULATE([Total], REMOVEFILTERS(Product)), Product[Name] = "Cup")', 52),
  value('#89', 'CALCULATE(CALCULATE([Total], ALL(Sale)), Product[Name] = "Cup")', 52),
  value(
    '#90',
    'CALCULATE(CALCULATE([Total], ALLEXCEPT(Store, Store[Region])), Store[Region] = "South", Store[City] = "Linz")',
    30,
  ),
  value('#91', 'CALCULATE(COUNTROWS(Product), Sale)', 3),
  value('#92', 'CALCULATE(CALCULATE([Total], FILTER(Sale, Sale[Qty] > 1)), Store[City] = "Graz")', 30),
  value('#93', 'CALCULATE([Total], Sale[Amount] > AVERAGE(Sale[Amount]))', 20),
  value('#94', 'CALCULATE([Total], Sale[Qty] = 1 || Sale[Amount] = 20)', 37),
  refused('#95', 'ROW("x", CALCULATE([Total], Sale[Qty] = Product[Id]))', /table/i),
  refused('#96', 'ROW("x", CALCULATE([Total], Sale[Amount] > [Total]))', /filter/i),
  value('#97', 'CALCULATE([Total], Product[Color] = "Green")', null),
  table(
    '#98',
    'ADDCOLUMNS(VALUES(Store[Region]), "p", DIVIDE([Total], CALCULATE([Total], REMOVEFILTERS())))',
    ['Store[Region]', '[p]'],
    [
      ['North', 22 / 52],
      ['South', 30 / 52],
    ],
  ),
];

/** Context transition: how rows become filters, and which rows filters see. */
const TRANSITION: readonly Case[] = [
  value('a measure times a number, for each city', 'SUMX(VALUES(Store[City]), CALCULATE(SUM(Sale[Qty])) * 2)', 32),
  value('rows within rows', 'SUMX(VALUES(Store[Region]), SUMX(VALUES(Product[Color]), [Total]))', 52),
  value('an aggregate sees no row', 'SUMX(VALUES(Store[City]), SUM(Sale[Amount]))', 156),
  value('rows of a filtered table', 'SUMX(FILTER(Sale, Sale[Qty] > 1), CALCULATE(COUNTROWS(Sale)))', 4),
  table(
    'equal rows are hit together',
    'ADDCOLUMNS(DISTINCT(D), "s", CALCULATE(SUM(D[v])))',
    ['D[k]', 'D[v]', '[s]'],
    [[1, 10, 20]],
  ),
  table(
    'a column of the many side',
    'ADDCOLUMNS(SUMMARIZE(Sale, Sale[Qty]), "t", CALCULATE(SUM(Sale[Amount])))',
    ['Sale[Qty]', '[t]'],
    [
      [2, 5],
      [4, 10],
      [1, 17],
      [5, 20],
      [3, null],
    ],
  ),
  value('the largest of a measure', 'MAXX(VALUES(Store[City]), [Rows])', 3),
  kept('a measure as condition', 'FILTER(VALUES(Product[Name]), [Total] > 9)', 'Product[Name]', ['Cup', 'Pan', 'Lid']),
  value('a measure as condition on facts', 'COUNTROWS(FILTER(Sale, [Total] > 9))', 3),
  kept('a measure as condition on all rows', 'FILTER(ALL(Store), [Total] > 25)', 'Store[City]', ['Graz']),
  table(
    'a filter replaces the row',
    'ADDCOLUMNS(VALUES(Store[City]), "x", CALCULATE([Total], Store[City] = "Bern"))',
    CITY_AND_X,
    [
      ['Bern', 22],
      ['Graz', 22],
      ['Linz', 22],
    ],
  ),
  table(
    'KEEPFILTERS does not',
    'ADDCOLUMNS(VALUES(Store[City]), "x", CALCULATE([Total], KEEPFILTERS(Store[City] = "Bern")))',
    CITY_AND_X,
    [
      ['Bern', 22],
      ['Graz', null],
      ['Linz', null],
    ],
  ),
  table('ALL frees from the row', 'ADDCOLUMNS(VALUES(Store[City]), "x", CALCULATE([Total], ALL(Store)))', CITY_AND_X, [
    ['Bern', 52],
    ['Graz', 52],
    ['Linz', 52],
  ]),
  table(
    'ALL of one column leaves the others of the row',
    'SELECTCOLUMNS(Store, Store[City], "x", CALCULATE([Total], ALL(Store[City])))',
    CITY_AND_X,
    [
      ['Bern', 22],
      ['Graz', 30],
      ['Linz', null],
    ],
  ),
  table(
    'ALLEXCEPT leaves one column of the row',
    'SELECTCOLUMNS(Store, Store[City], "x", CALCULATE([Total], ALLEXCEPT(Store, Store[Region])))',
    CITY_AND_X,
    [
      ['Bern', 22],
      ['Graz', 30],
      ['Linz', 30],
    ],
  ),
  value('the row replaces an outer filter', 'CALCULATE(SUMX(ALL(Store[City]), [Total]), Store[City] = "Bern")', 52),
  value('but not one on another column', 'CALCULATE(SUMX(ALL(Store[City]), [Total]), Store[Region] = "South")', 30),
  value(
    'an iterated column sees outer filters',
    'CALCULATE(SUMX(VALUES(Store[City]), [Total]), Store[Region] = "South")',
    30,
  ),
  value(
    'a row is used up by the outer CALCULATE',
    'SUMX(Store, CALCULATE(CALCULATE(SUM(Sale[Amount])), ALL(Store)))',
    156,
  ),
  refused('a row is no row any more', 'EVALUATE {SUMX(Sale, CALCULATE(Sale[Qty]))}', /single value.*'Qty'/i, {
    at: [1, 32],
  }),
  value(
    'a variable keeps what it was in its row',
    'SUMX(VALUES(Store[City]), VAR s = [Total] RETURN CALCULATE(s + [Total], ALL(Store)))',
    208,
  ),
  value(
    'a variable carries a value of the row into a predicate',
    'SUMX(VALUES(Store[Sid]), VAR s = Store[Sid] RETURN CALCULATE([Rows], ALL(Store), Sale[Sid] <= s))',
    14,
  ),
  value('a table in a variable', 'VAR f = FILTER(Store, Store[Region] = "South") RETURN CALCULATE([Total], f)', 30),
  value(
    'a table in a variable is that of its place',
    'VAR f = FILTER(Store, [Total] > 25) RETURN CALCULATE(COUNTROWS(f), Store[City] = "Bern")',
    1,
  ),
  value(
    'columns of a table in a variable',
    'VAR p = FILTER(Product, Product[Price] > 3) RETURN SUMX(p, Product[Price])',
    34,
  ),
  table(
    'a share of the whole, with its total',
    'UNION(ADDCOLUMNS(VALUES(Store[Region]), "p", DIVIDE([Total], CALCULATE([Total], ALL(Store)))), ROW("r", "all", "p", DIVIDE([Total], [Total])))',
    ['Store[Region]', '[p]'],
    [
      ['North', 22 / 52],
      ['South', 30 / 52],
      ['all', 1],
    ],
  ),
];

/** How filters affect other filters. */
const FILTERS: readonly Case[] = [
  value(
    'three calls within each other',
    'CALCULATE(CALCULATE(CALCULATE([Total], Product[Color] = "Red"), Store[Region] = "South"), Product[Color] = "Blue")',
    30,
  ),
  value(
    'KEEPFILTERS intersects lists',
    'CALCULATE(CALCULATE([Total], KEEPFILTERS(Product[Color] IN {"Red", "Blue"})), Product[Color] IN {"Blue", BLANK()})',
    10,
  ),
  value(
    'KEEPFILTERS of a table',
    'CALCULATE(CALCULATE([Total], KEEPFILTERS(FILTER(ALL(Store[City]), Store[City] <> "Graz"))), Store[City] <> "Linz")',
    22,
  ),
  value(
    'a pair loses one column to a new filter',
    'CALCULATE(CALCULATE([Total], Sale[Qty] = 4), Sale[Qty] = 1 || Sale[Amount] = 20)',
    10,
  ),
  value(
    'a pair loses one column to ALL',
    'CALCULATE(CALCULATE([Total], ALL(Sale[Qty])), Sale[Qty] = 1 || Sale[Amount] = 20)',
    47,
  ),
  value('a filtered table', 'CALCULATE([Total], FILTER(Product, Product[Price] < 3))', 15),
  value('all of a table, its blank row too', 'CALCULATE([Total], FILTER(ALL(Product), Product[Price] < 3))', 22),
  value('the first store', 'CALCULATE([Total], TOPN(1, Store, Store[Sid], ASC))', 22),
  value(
    'tuples of two tables',
    'CALCULATE([Total], FILTER(SUMMARIZE(Sale, Product[Color], Store[Region]), Product[Color] = "Red" && Store[Region] = "South" || Product[Color] = "Blue"))',
    40,
  ),
  value('filters that exclude each other', 'CALCULATE([Total], Store[City] = "Bern", Store[Region] = "South")', null),
  value('a range of dates', 'CALCULATE([Rows], Sale[Day] >= dt"2024-02-01")', 4),
  value('a function of a column', 'CALCULATE([Rows], MONTH(Sale[Day]) = 2)', 2),
  value('not in a list', 'CALCULATE([Total], NOT Product[Color] IN {"Red"})', 17),
  value(
    'an aggregate in a predicate sees the outer filters',
    'CALCULATE(CALCULATE([Total], Sale[Amount] = MAX(Sale[Amount])), Store[City] = "Bern")',
    10,
  ),
  value(
    'a filter after its table was freed',
    'CALCULATE(CALCULATE([Total], ALL(Store), Store[Region] = "South"), Store[City] = "Bern")',
    30,
  ),
  value(
    'several columns freed',
    'CALCULATE(CALCULATE([Total], ALL(Store[City]), ALL(Product[Color])), Store[City] = "Bern", Product[Color] = "Red", Store[Region] = "South")',
    30,
  ),
  value(
    'two columns freed at once',
    'CALCULATE(CALCULATE([Total], REMOVEFILTERS(Store[City], Store[Region])), Store[City] = "Bern", Product[Color] = "Red")',
    35,
  ),
  value(
    'ALLEXCEPT of two columns',
    'CALCULATE(CALCULATE([Rows], ALLEXCEPT(Sale, Sale[Qty], Product[Color])), Sale[Qty] < 3, Product[Color] = "Red", Store[City] = "Graz")',
    1,
  ),
  kept(
    'a table under a filter',
    'CALCULATETABLE(FILTER(Sale, Sale[Amount] > 5), Store[City] = "Bern")',
    'Sale[No]',
    [3, 5],
  ),
  value('a filtered fact reaches its parents', 'CALCULATE(COUNTROWS(Store), FILTER(Sale, Sale[Qty] > 3))', 1),
  value('the only value is a scalar', 'CALCULATE(VALUES(Store[City]), Store[Sid] = 1)', 'Bern'),
  value('a condition on a table without relationship', 'CALCULATE([Total], T[K] = 1)', 52),
  value('no value at all of a table without relationship', 'CALCULATE([Total], FILTER(T, FALSE))', 52),
  refused('a table without columns of the model', 'ROW("x", CALCULATE([Total], {1}))', /filter|lineage|column/i),
  refused('a condition without column', 'ROW("x", CALCULATE([Total], TRUE))', /filter|column/i),
  refused(
    'CALCULATE in a condition',
    'ROW("x", CALCULATE([Total], Sale[Amount] > CALCULATE(MAX(Sale[Amount]))))',
    /filter/i,
  ),
];

export const CONTEXT_CASES: readonly Case[] = [...CONTEXTS, ...CALCULATE, ...TRANSITION, ...FILTERS];
