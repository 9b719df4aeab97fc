import { type Case, refused } from './case.ts';

const only = { compilerOnly: true };

/** Invalid queries, each named after its error. */
export const MISTAKES: readonly Case[] = [
  refused(
    'a constant by a name',
    'DEFINE VAR x = 2 EVALUATE {1, 2} ORDER BY [Value] START AT x',
    /constants only/,
    only,
  ),
  refused('a start of another type', 'EVALUATE Store ORDER BY Store[City] START AT 1', /comparing/, only),
  refused('more starts than keys', 'EVALUATE {1} ORDER BY [Value] START AT 1, 2', /more values/, {
    ...only,
    at: [1, 43],
  }),
  refused('a measure twice', 'DEFINE MEASURE Sale[a] = 1 MEASURE Sale[a] = 2 EVALUATE {[a]}', /two measures/, only),
  refused('a measure of the name of a column', 'DEFINE MEASURE Sale[Qty] = 1 EVALUATE {1}', /name of a column/, only),
  refused('a measure of no table', 'DEFINE MEASURE Nope[x] = 1 EVALUATE {1}', /table 'Nope'/, { ...only, at: [1, 16] }),
  refused('a variable of the name of a function', 'ROW("x", VAR Date = 1 RETURN Date)', /'Date' is incorrect/, only),
  refused('true with an argument', 'ROW("x", TRUE(1))', /takes none/, only),
  refused('a filter that is a text', 'FILTER(Store, "x")', /convert/i),
  refused('a filter of CALCULATE that is a text', 'ROW("x", CALCULATE([Total], Store[City] & ""))', /convert/i, only),
  ...[
    'USERELATIONSHIP(Sale[Pid], Product[Id])',
    'ALLSELECTED()',
    'ALLSELECTED(Store)',
    'FOO()',
    'EXCEPT(Store, Store)',
  ].map((filter) =>
    refused(
      'a filter outside the subset',
      `ROW("x", CALCULATE([Total], ${filter}))`,
      /Function \w+ is not supported/,
      only,
    ),
  ),
  refused(
    'a filter table outside the subset',
    'SUMMARIZECOLUMNS(Store[City], TREATAS({"Bern"}, Store[City]), "t", [Total])',
    /Function TREATAS is not supported/,
    only,
  ),
  refused('ROLLUP', 'SUMMARIZE(Sale, ROLLUP(Store[City]), "t", [Total])', /Function ROLLUP is not supported/, only),
  refused(
    'a modifier as a table',
    'REMOVEFILTERS(Store)',
    /only be used as an argument of a function that changes filters/,
    only,
  ),
  refused('an expression as VALUES', 'VALUES("x")', /a column or a table/, only),
];
