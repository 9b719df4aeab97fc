import { type Case, DUPLICATE, refused, table, value } from './case.ts';

const NAME_AND_T = ['Product[Name]', '[t]'];
const COLOR_REGION_T = ['Product[Color]', 'Store[Region]', '[t]'];
const TOTALS_BY_COLOR_AND_REGION = [
  ['Red', 'North', 5],
  ['Red', 'South', 30],
  ['Blue', 'North', 10],
  [null, 'North', 7],
];

const EXAMPLES: readonly Case[] = [
  table('#99', 'SUMMARIZECOLUMNS(Product[Name], "t", [Total])', NAME_AND_T, [
    ['Cup', 15],
    ['Pan', 10],
    ['Lid', 20],
    [null, 7],
  ]),
  table(
    '#100',
    'SUMMARIZECOLUMNS(Store[Region], Store[City])',
    ['Store[Region]', 'Store[City]'],
    [
      ['North', 'Bern'],
      ['South', 'Graz'],
      ['South', 'Linz'],
    ],
  ),
  table(
    '#101',
    'SUMMARIZECOLUMNS(Product[Color], Store[Region])',
    ['Product[Color]', 'Store[Region]'],
    [
      ['Red', 'North'],
      ['Red', 'South'],
      ['Blue', 'North'],
      ['Blue', 'South'],
      [null, 'North'],
      [null, 'South'],
    ],
  ),
  table(
    '#102',
    'SUMMARIZECOLUMNS(Product[Color], Store[Region], "t", [Total])',
    COLOR_REGION_T,
    TOTALS_BY_COLOR_AND_REGION,
  ),
  table(
    '#103',
    'SUMMARIZECOLUMNS(Product[Color], Store[Region], "t", [Total], "n", [Rows])',
    [...COLOR_REGION_T, '[n]'],
    [
      ['Red', 'North', 5, 1],
      ['Red', 'South', 30, 2],
      ['Blue', 'North', 10, 1],
      [null, 'North', 7, 1],
      [null, 'South', null, 1],
    ],
  ),
  table('#104', 'SUMMARIZECOLUMNS(Product[Color], Store[Region], "t", [Total] + 0)', COLOR_REGION_T, [
    ...TOTALS_BY_COLOR_AND_REGION,
    ['Blue', 'South', 0],
    [null, 'South', 0],
  ]),
  table(
    '#105',
    'SUMMARIZECOLUMNS(Product[Name], FILTER(ALL(Store[Region]), Store[Region] = "South"), "t", [Total])',
    NAME_AND_T,
    [
      ['Cup', 10],
      ['Lid', 20],
    ],
  ),
  table(
    '#106',
    'SUMMARIZECOLUMNS(Product[Name], FILTER(ALL(Store[City]), Store[City] = "Bern"))',
    ['Product[Name]'],
    [['Cup'], ['Pan'], ['Lid'], ['Rack'], [null]],
  ),
  table(
    '#107',
    'SUMMARIZECOLUMNS(Product[Name], FILTER(ALL(Product[Color]), Product[Color] = "Red"))',
    ['Product[Name]'],
    [['Cup'], ['Lid']],
  ),
  table('#108', 'SUMMARIZECOLUMNS("t", [Total])', ['[t]'], [[52]]),
  table('#108', 'SUMMARIZECOLUMNS("t", CALCULATE([Total], Product[Color] = "Green"))', ['[t]'], []),
  table(
    '#109',
    'SUMMARIZECOLUMNS(FILTER(ALL(Store[Region]), TRUE), FILTER(ALL(Store[City]), Store[City] = "Bern"), "n", CALCULATE(COUNTROWS(Store), ALL(Store[City])))',
    ['[n]'],
    [[1]],
  ),
  value(
    '#109',
    'CALCULATE(CALCULATE(COUNTROWS(Store), ALL(Store[City])), FILTER(ALL(Store[Region]), TRUE), FILTER(ALL(Store[City]), Store[City] = "Bern"))',
    3,
  ),
  table(
    '#110',
    'SUMMARIZECOLUMNS(Store[City], "p", DIVIDE([Total], CALCULATE([Total], ALL(Store))))',
    ['Store[City]', '[p]'],
    [
      ['Bern', 22 / 52],
      ['Graz', 30 / 52],
    ],
  ),
];

const OWN: readonly Case[] = [
  table(
    'an outer filter on the table of the groups',
    'CALCULATETABLE(SUMMARIZECOLUMNS(Store[City], "n", [Rows]), Store[Region] = "South")',
    ['Store[City]', '[n]'],
    [
      ['Graz', 2],
      ['Linz', 1],
    ],
  ),
  table(
    'an outer filter on another table thins by blank values alone',
    'CALCULATETABLE(SUMMARIZECOLUMNS(Store[City], "n", [Rows] + 0), Product[Color] = "Blue")',
    ['Store[City]', '[n]'],
    [
      ['Bern', 1],
      ['Graz', 0],
      ['Linz', 0],
    ],
  ),
  table(
    'a filter argument on the table of the groups',
    'SUMMARIZECOLUMNS(Store[City], FILTER(ALL(Store[Region]), Store[Region] = "South"), "n", [Rows])',
    ['Store[City]', '[n]'],
    [
      ['Graz', 2],
      ['Linz', 1],
    ],
  ),
  table(
    'group and filter argument are one filter of existing pairs',
    'SUMMARIZECOLUMNS(Store[City], FILTER(ALL(Store[Region]), TRUE), "n", CALCULATE(COUNTROWS(Store), ALL(Store[City])))',
    ['Store[City]', '[n]'],
    [
      ['Bern', 1],
      ['Graz', 2],
      ['Linz', 2],
    ],
  ),
  table(
    'both columns of that filter freed',
    'SUMMARIZECOLUMNS(Store[City], FILTER(ALL(Store[Region]), TRUE), "n", CALCULATE(COUNTROWS(Store), ALL(Store[Region]), ALL(Store[City])))',
    ['Store[City]', '[n]'],
    [
      ['Bern', 3],
      ['Graz', 3],
      ['Linz', 3],
    ],
  ),
  table(
    'both columns of that filter replaced',
    'SUMMARIZECOLUMNS(Store[City], FILTER(ALL(Store[Region]), TRUE), "n", CALCULATE(CALCULATE([Rows], Store[City] = "Bern"), Store[Region] = "North"))',
    ['Store[City]', '[n]'],
    [
      ['Bern', 3],
      ['Graz', 3],
      ['Linz', 3],
    ],
  ),
  table(
    'without the argument nothing is left of the group',
    'SUMMARIZECOLUMNS(Store[City], "n", CALCULATE(COUNTROWS(Store), ALL(Store[City])))',
    ['Store[City]', '[n]'],
    [
      ['Bern', 3],
      ['Graz', 3],
      ['Linz', 3],
    ],
  ),
  table(
    'rows of the table of the groups, without its blank row',
    'SUMMARIZECOLUMNS(Product[Color], "n", COUNTROWS(Product))',
    ['Product[Color]', '[n]'],
    [
      ['Red', 2],
      ['Blue', 1],
      [null, 1],
    ],
  ),
  table(
    'the blank row is a group',
    'SUMMARIZECOLUMNS(Product[Id], "n", COUNTROWS(VALUES(Product)))',
    ['Product[Id]', '[n]'],
    [
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
      [null, 1],
    ],
  ),
  table(
    'a column of the facts',
    'SUMMARIZECOLUMNS(Sale[Qty], "t", [Total])',
    ['Sale[Qty]', '[t]'],
    [
      [1, 17],
      [2, 5],
      [4, 10],
      [5, 20],
    ],
  ),
  table(
    'a column of the facts and one of a parent',
    'SUMMARIZECOLUMNS(Store[Region], Sale[Qty], "t", [Total])',
    ['Store[Region]', 'Sale[Qty]', '[t]'],
    [
      ['North', 2, 5],
      ['North', 1, 17],
      ['South', 4, 10],
      ['South', 5, 20],
    ],
  ),
  table(
    'a constant is never blank',
    'SUMMARIZECOLUMNS(Store[City], "t", [Total], "one", 1)',
    ['Store[City]', '[t]', '[one]'],
    [
      ['Bern', 22, 1],
      ['Graz', 30, 1],
      ['Linz', null, 1],
    ],
  ),
  table(
    'one expression frees another group',
    'SUMMARIZECOLUMNS(Store[Region], Product[Color], "t", [Total], "all", CALCULATE([Total], ALL(Product)))',
    ['Store[Region]', 'Product[Color]', '[t]', '[all]'],
    [
      ['North', 'Red', 5, 22],
      ['North', 'Blue', 10, 22],
      ['North', null, 7, 22],
      ['South', 'Red', 30, 30],
      ['South', 'Blue', null, 30],
      ['South', null, null, 30],
    ],
  ),
  table(
    'groups with a total row',
    'UNION(SUMMARIZECOLUMNS(Store[Region], "t", [Total]), ROW("r", "Total", "t", [Total]))',
    ['Store[Region]', '[t]'],
    [
      ['North', 22],
      ['South', 30],
      ['Total', 52],
    ],
  ),
  refused('a column twice', 'SUMMARIZECOLUMNS(Store[City], Store[City])', DUPLICATE),
  refused(
    'a condition as filter',
    'SUMMARIZECOLUMNS(Store[City], Store[City] = "Bern", "t", [Total])',
    /table|filter/i,
  ),
];

export const SUMMARIZECOLUMNS: readonly Case[] = [...EXAMPLES, ...OWN];
