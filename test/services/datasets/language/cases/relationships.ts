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

const SNOWFLAKES: readonly Case[] = [
  value('a filter goes down two steps', 'CALCULATE([Total], Category[Label] = "Kitchen")', 15, 'snowflake'),
  table(
    'orphans of both steps are one group',
    'SUMMARIZECOLUMNS(Category[Label], "t", [Total])',
    ['Category[Label]', '[t]'],
    [
      ['Kitchen', 15],
      ['Garden', 20],
      [null, 14],
    ],
    { model: 'snowflake' },
  ),
  value('labels and the blank one', 'COUNTROWS(VALUES(Category[Label]))', 4, 'snowflake'),
  value('labels of rows', 'COUNTROWS(DISTINCT(Category[Label]))', 3, 'snowflake'),
  value('names and the blank one', 'COUNTROWS(VALUES(Product[Name]))', 6, 'snowflake'),
  value('a lookup over two steps', 'SUMX(Sale, RELATED(Category[Cid]))', 4, 'snowflake'),
  value('products without category', 'CALCULATE(COUNTROWS(Product), ISBLANK(Category[Label]))', 2, 'snowflake'),
  value('and the blank product', 'CALCULATE(COUNTROWS(VALUES(Product)), ISBLANK(Category[Label]))', 3, 'snowflake'),
  value(
    'a category hides the blank product',
    'CALCULATE(COUNTROWS(VALUES(Product)), Category[Label] = "Garden")',
    1,
    'snowflake',
  ),
  table(
    'grouped by a table two steps away',
    'SUMMARIZE(Sale, Category[Label], "n", COUNTROWS(Sale))',
    ['Category[Label]', '[n]'],
    [
      ['Kitchen', 2],
      ['Garden', 1],
      [null, 4],
    ],
    { model: 'snowflake' },
  ),
  table(
    'grouped in the middle',
    'SUMMARIZE(Product, Category[Label])',
    ['Category[Label]'],
    [['Kitchen'], ['Garden'], [null]],
    { model: 'snowflake' },
  ),
  value(
    'ALL of the middle frees the end',
    'CALCULATE(CALCULATE([Total], ALL(Product)), Category[Label] = "Garden")',
    49,
    'snowflake',
  ),
  value(
    'ALL of the end keeps the middle',
    'CALCULATE(CALCULATE([Total], ALL(Category)), Product[Name] = "Cup")',
    5,
    'snowflake',
  ),
  value(
    'ALLEXCEPT keeps a column two steps away',
    'CALCULATE(CALCULATE([Total], ALLEXCEPT(Sale, Category[Label])), Category[Label] = "Kitchen", Product[Name] = "Cup")',
    15,
    'snowflake',
  ),
  value('a table filters what it expands to', 'CALCULATE(COUNTROWS(Category), Sale)', 2, 'snowflake'),
  table(
    'a measure for each label',
    'ADDCOLUMNS(VALUES(Category[Label]), "n", [Rows])',
    ['Category[Label]', '[n]'],
    [
      ['Kitchen', 2],
      ['Garden', 1],
      ['Toys', null],
      [null, 4],
    ],
    { model: 'snowflake' },
  ),
  value('products of each label', 'SUMX(VALUES(Category[Label]), CALCULATE(COUNTROWS(Product)))', 5, 'snowflake'),
  value('an orphan below gives each table above a blank row', 'COUNTROWS(VALUES(Category[Label]))', 4, 'deepOrphan'),
  table(
    'and its sales belong to it',
    'SUMMARIZECOLUMNS(Category[Label], "t", [Total])',
    ['Category[Label]', '[t]'],
    [
      ['Kitchen', 5],
      ['Garden', 20],
      [null, 2],
    ],
    { model: 'deepOrphan' },
  ),
];

const TWO_FACTS: readonly Case[] = [
  table(
    'measures of both',
    'SUMMARIZECOLUMNS(Product[Name], "t", [Total], "b", [Back])',
    ['Product[Name]', '[t]', '[b]'],
    [
      ['Cup', 15, 1],
      ['Pan', 20, null],
      ['Lid', null, 2],
      [null, null, 4],
    ],
    { model: 'facts' },
  ),
  table(
    'measures of both by two dimensions',
    'SUMMARIZECOLUMNS(Product[Name], Store[City], "t", [Total], "b", [Back])',
    ['Product[Name]', 'Store[City]', '[t]', '[b]'],
    [
      ['Cup', 'Bern', 5, 1],
      ['Cup', 'Graz', 10, null],
      ['Pan', 'Bern', 20, null],
      ['Lid', 'Graz', null, 2],
      [null, 'Bern', null, 4],
    ],
    { model: 'facts' },
  ),
  value('a filter on one does not reach the other', 'CALCULATE([Back], Sale[Amount] > 6)', 7, 'facts'),
  // Pairs of product and store that were sold: only (Cup, Bern) was returned.
  value('the table as filter does, by its dimensions', 'CALCULATE([Back], Sale)', 1, 'facts'),
  value('a difference for each product', 'SUMX(Product, [Total] - [Back])', 32, 'facts'),
  table(
    'a quotient for each store',
    'ADDCOLUMNS(VALUES(Store[City]), "r", DIVIDE([Back], [Total]))',
    ['Store[City]', '[r]'],
    [
      ['Bern', 0.2],
      ['Graz', 0.2],
    ],
    { model: 'facts' },
  ),
  value('orphans of one of them make the blank row', 'COUNTROWS(VALUES(Product[Name]))', 4, 'facts'),
  value('which has none of the other', 'CALCULATE([Total], ISBLANK(Product[Name]))', null, 'facts'),
];

const KEYS_OF_TEXT: readonly Case[] = [
  table(
    'case and trailing blanks do not count',
    'SUMMARIZECOLUMNS(Country[Name], "g", [Everybody])',
    ['Country[Name]', '[g]'],
    [
      ['Swiss', 5],
      ['Austria', 5],
      ['Germany', 7],
      [null, 11],
    ],
    { model: 'folding' },
  ),
  value('distinct keys', 'COUNTROWS(DISTINCT(Visit[Code]))', 6, 'folding'),
  value('counted the same', 'DISTINCTCOUNT(Visit[Code])', 6, 'folding'),
  value('empty texts and blanks', 'COUNTBLANK(Visit[Code])', 2, 'folding'),
  value('a predicate on the many side', 'CALCULATE([Everybody], Visit[Code] = "cH")', 5, 'folding'),
  value('a predicate on the one side', 'CALCULATE([Everybody], Country[Code] = "DE")', 7, 'folding'),
  value(
    'leading blanks, empty texts and blanks match nothing',
    'SUMX(Visit, IF(ISBLANK(RELATED(Country[Name])), 1))',
    3,
    'folding',
  ),
  value('IN folds', '"a" IN {"A "}', true, 'folding'),
  value('SWITCH folds', 'SWITCH("ch ", "CH", 1, 2)', 1, 'folding'),
  table(
    'groups show the first spelling',
    'SUMMARIZE(FILTER(Visit, Visit[No] < 5), Visit[Code], "n", COUNTROWS(Visit))',
    ['Visit[Code]', '[n]'],
    [
      ['CH', 2],
      ['at', 1],
      ['De', 1],
    ],
    { model: 'folding' },
  ),
];

export const RELATIONSHIPS: readonly Case[] = [
  ...EXAMPLES,
  ...ONE_WAY,
  ...BOTH_WAYS,
  ...SNOWFLAKES,
  ...TWO_FACTS,
  ...KEYS_OF_TEXT,
];
