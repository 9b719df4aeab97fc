import { type Case, kept, refused, table, value } from './case.ts';

const EXAMPLES: readonly Case[] = [
  value('#56', 'COUNTROWS(Product)', 4),
  value('#56', 'COUNTROWS(VALUES(Product))', 5),
  value('#56', 'COUNTROWS(ALL(Product))', 5),
  value('#57', 'COUNTROWS(VALUES(Product[Name]))', 5),
  value('#57', 'COUNTROWS(DISTINCT(Product[Name]))', 4),
  value('#58', 'COUNTROWS(VALUES(Product[Color]))', 3),
  value('#58', 'COUNTROWS(DISTINCT(Product[Color]))', 3),
  value('#59', 'COUNTROWS(VALUES(Store[City]))', 3),
  value('#60', 'CALCULATE(COUNTROWS(VALUES(Product[Name])), Product[Color] = "Red")', 2),
  value('#61', 'CALCULATE([Total], ISBLANK(Product[Name]))', 7),
  value('#62', 'CALCULATE([Rows], Product[Color] <> "Red")', 3),
  value('#63', 'CALCULATE([Total], NOT ISBLANK(Product[Color]))', 45),
  value('#64', 'SUMX(Product, [Total])', 45),
  value('#64', 'SUMX(VALUES(Product[Name]), [Total])', 52),
  value('#65', 'CALCULATE(COUNTROWS(Product), Store[City] = "Bern")', 4),
  value('#66', 'CALCULATE(COUNTROWS(Product), Store[City] = "Bern")', 2, 'both'),
  value('#67', 'COUNTROWS(Product)', 4, 'both'),
  value('#68', 'CALCULATE(COUNTROWS(VALUES(Product[Name])), Store[City] = "Bern")', 3, 'both'),
  value('#69', 'SUMX(Sale, Sale[Qty] * RELATED(Product[Price]))', 45),
  table(
    '#70',
    'SELECTCOLUMNS(ADDCOLUMNS(Product, "n", COUNTROWS(RELATEDTABLE(Sale))), Product[Name], "n", [n])',
    ['Product[Name]', '[n]'],
    [
      ['Cup', 2],
      ['Pan', 1],
      ['Lid', 1],
      ['Rack', null],
    ],
  ),
  value('#71', 'CALCULATE(SUMX(Sale, RELATED(Product[Price])), Sale[No] = 1, REMOVEFILTERS(Product))', 2.5),
  refused('#72', 'FILTER(Product, RELATED(Sale[Qty]) > 1)', /relationship/i),
];

const ONE_WAY: readonly Case[] = [
  value('the blank row fails a comparison', 'CALCULATE([Total], Product[Price] > 3)', 30),
  value('the blank row meets a comparison', 'CALCULATE([Total], Product[Price] < 3)', 22),
  value('the blank row is an empty text', 'CALCULATE([Rows], Product[Color] = "")', 2),
  value('all names but the blank one', 'COUNTROWS(ALLNOBLANKROW(Product[Name]))', 4),
  value('all products but the blank one', 'COUNTROWS(ALLNOBLANKROW(Product))', 4),
  value('the blank row has sales', 'COUNTROWS(FILTER(VALUES(Product), [Rows] > 0))', 4),
  value('the blank row alone', 'CALCULATE(COUNTROWS(VALUES(Product)), ISBLANK(Product[Id]))', 1),
  value('a plain reference has no blank row', 'CALCULATE(COUNTROWS(Product), ISBLANK(Product[Id]))', null),
  table(
    'a product without colour, and the blank row',
    'CALCULATETABLE(VALUES(Product[Name]), ISBLANK(Product[Color]))',
    ['Product[Name]'],
    [['Rack'], [null]],
  ),
  value('a table as filter leaves orphans out', 'CALCULATE([Total], Product, Store[Region] = "North")', 15),
  value('with its blank row it keeps them', 'CALCULATE([Total], VALUES(Product), Store[Region] = "North")', 22),
  value('orphans are looked up as blank', 'SUMX(Sale, RELATED(Product[Price]))', 19),
  value('orphans are not counted', 'COUNTX(Sale, RELATED(Product[Price]))', 4),
  kept('orphans are found', 'FILTER(Sale, ISBLANK(RELATED(Product[Id])))', 'Sale[No]', [5, 6]),
  value('lookups ignore filters', 'CALCULATE(SUMX(Sale, RELATED(Product[Price])), Store[City] = "Graz")', 6.5),
  table(
    'products of the sales of each store',
    'ADDCOLUMNS(Store, "p", COUNTROWS(SUMMARIZE(RELATEDTABLE(Sale), Product[Name])))',
    ['Store[Sid]', 'Store[City]', 'Store[Region]', '[p]'],
    [
      [1, 'Bern', 'North', 3],
      [2, 'Graz', 'South', 2],
      [3, 'Linz', 'South', 1],
    ],
  ),
  refused('no row of the many side', 'ROW("x", RELATED(Product[Price]))', /relationship|row context|single value/i),
  refused('a key alone is no row', 'ROW("x", SUMX(VALUES(Sale[Pid]), RELATED(Product[Price])))', /relationship/i),
  refused('no way to the table', 'FILTER(T, RELATED(Product[Price]) > 1)', /relationship/i),
];

const BOTH_WAYS: readonly Case[] = [
  table(
    'products that each city sold',
    'ADDCOLUMNS(VALUES(Store[City]), "n", CALCULATE(COUNTROWS(Product)))',
    ['Store[City]', '[n]'],
    [
      ['Bern', 2],
      ['Graz', 2],
      ['Linz', null],
    ],
    { model: 'both' },
  ),
  value('only the blank row is left', 'CALCULATE(COUNTROWS(VALUES(Product[Color])), Store[City] = "Linz")', 1, 'both'),
  value('no orphan is left', 'CALCULATE(COUNTROWS(VALUES(Product[Name])), Store[City] = "Graz")', 2, 'both'),
  value('a filter on the many side', 'CALCULATE(COUNTROWS(Product), Sale[Qty] > 3)', 2, 'both'),
  value('its own filter does not come back', 'CALCULATE(COUNTROWS(Product), ISBLANK(Product[Color]))', 1, 'both'),
  value('a product without sales stays', 'CALCULATE(COUNTROWS(Product), Product[Name] IN {"Rack", "Cup"})', 2, 'both'),
  value(
    'both filters hold for one sale',
    'CALCULATE(COUNTROWS(Product), Store[City] = "Bern", Sale[Qty] = 4)',
    null,
    'both',
  ),
  value('a sum over the one side', 'CALCULATE(SUM(Product[Price]), Store[Region] = "South")', 6.5, 'both'),
  table(
    'groups of a table on the other side',
    'SUMMARIZECOLUMNS(Store[Region], "n", COUNTROWS(Product))',
    ['Store[Region]', '[n]'],
    [
      ['North', 2],
      ['South', 2],
    ],
    { model: 'both' },
  ),
  table(
    'the same where filters flow one way',
    'SUMMARIZECOLUMNS(Store[Region], "n", COUNTROWS(Product))',
    ['Store[Region]', '[n]'],
    [
      ['North', 4],
      ['South', 4],
    ],
  ),
  value(
    'filters removed on the way',
    'CALCULATE(CALCULATE(COUNTROWS(Product), ALL(Store)), Store[City] = "Bern")',
    4,
    'both',
  ),
  // Sale 3 (Pan, Kitchen) and 4 (Nail, category 9): Category keeps Kitchen.
  value('two steps back', 'CALCULATE(COUNTROWS(Category), Sale[Amount] IN {10, 7})', 1, 'snowflakeBoth'),
  value(
    'two steps back to the blank row',
    'CALCULATE(COUNTROWS(VALUES(Category[Label])), Sale[Amount] IN {10, 7})',
    2,
    'snowflakeBoth',
  ),
  value('one step back', 'CALCULATE(COUNTROWS(Category), Product[Price] < 3)', 1, 'snowflakeBoth'),
  // Sale 6 has no product: it belongs to the blank row of Product, which belongs to the blank row of Category.
  value(
    'back from blank row to blank row',
    'CALCULATE(COUNTROWS(VALUES(Category[Label])), Sale[Amount] = 2)',
    1,
    'snowflakeBoth',
  ),
  value('and to no other row', 'CALCULATE(COUNTROWS(Category), Sale[Amount] = 2)', null, 'snowflakeBoth'),
  value('down and not back', 'CALCULATE(COUNTROWS(Category), Category[Label] = "Toys")', 1, 'snowflakeBoth'),
];

export const RELATIONSHIPS: readonly Case[] = [...EXAMPLES, ...ONE_WAY, ...BOTH_WAYS];
