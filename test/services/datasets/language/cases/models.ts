import { type Case, table, value } from './case.ts';

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
  // Pairs of product and store with sales: only (Cup, Bern) was returned.
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

/** Relationships in models other than the sample of the facts. */
export const OTHER_MODELS: readonly Case[] = [...SNOWFLAKES, ...TWO_FACTS, ...KEYS_OF_TEXT];
