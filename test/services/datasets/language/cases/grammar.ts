import { type Case, DUPLICATE, kept, refused, table, value } from './case.ts';

const OPERATORS: readonly Case[] = [
  value('#1', '-2^2', -4),
  value('#1', '(-2)^2', 4),
  value('#2', '2^3^2', 64),
  value('#3', '5+2*3', 11),
  value('#4', '1+1 & "x"', '2x'),
  value('#5', 'NOT 1 IN {2,3}', true),
  value('#6', '(1,"a") IN {(1,"A"),(2,"b")}', true),
  value('#7', 'TRUE || FALSE && FALSE', true),
  value('#8', '7--2\n', 7),
  refused('#9', 'ROW("x", 1 < 2 < 3)', /compar/i),
];

const STATEMENTS: readonly Case[] = [
  table('#10', 'DEFINE MEASURE Sale[Total] = 1 EVALUATE {[Total]}', ['[Value]'], [[1]]),
  value('#11', 'VAR v = [Total] RETURN CALCULATE(v, Sale[No] = 1)', 52),
  refused('#12', 'SUM(Sale[Qty])', /table expression/i),
  table('#13', 'EVALUATE {1,2,3} ORDER BY [Value] DESC START AT 2', ['[Value]'], [[2], [1]], { ordered: true }),
  table(
    '#14',
    'DEFINE VAR m = 3 EVALUATE SELECTCOLUMNS(FILTER(Sale, Sale[Qty] > m), Sale[No])',
    ['Sale[No]'],
    [[2], [4]],
  ),
  refused('#15', 'DEFINE VAR m = 3 MEASURE Sale[z] = m EVALUATE {[z]}', /resolve|'m'/i, { at: [1, 36] }),
];

const TYPES: readonly Case[] = [
  table('a value of either type', '{DIVIDE(4, 2, "n/a")}', ['[Value]'], [[2]]),
  table('a date or a number', '{IF(TRUE, dt"2024-01-05", 1)}', ['[Value]'], [['2024-01-05T00:00:00']]),
  table(
    'values of either type, one below the other',
    'UNION(ROW("x", IF(TRUE, 1, "a")), ROW("x", IF(FALSE, 1, "a")))',
    ['[x]'],
    [[1], ['a']],
    { compilerOnly: true },
  ),
  value('#16', '"22" + 22', 44),
  value('#16', '12 & 34', '1234'),
  value('#17', 'TRUE + 1', 2),
  value('#18', '1/2', 0.5),
  value('#19', 'DATE(2024,1,5) * 1', 45_296),
  value('#20', 'DATE(2024,1,5) - DATE(2024,1,3)', '1900-01-01T00:00:00'),
  value('#20', 'INT(DATE(2024,1,5) - DATE(2024,1,3))', 2),
  refused('#21', 'ROW("x", "1" > 0)', /compar/i),
  table('#22', '{1, "A"}', ['[Value]'], [['1'], ['A']]),
  refused('#23', 'ROW("x", "x" + 1)', /convert/i),
];

const TEXTS: readonly Case[] = [
  value('#47', '"Cup" = "cUP"', true),
  value('#47', 'EXACT("Cup","cUP")', false),
  value('#48', '"a" = "a "', true),
  value('#48', '"a" = " a"', false),
  table('#49', 'DISTINCT(T[Txt])', ['T[Txt]'], [['a'], [''], [null]]),
  table('#50', 'EVALUATE VALUES(T[Num]) ORDER BY T[Num]', ['T[Num]'], [[null], [0], [3]], { ordered: true }),
];

const STORE = ['Store[Sid]', 'Store[City]', 'Store[Region]'];

const NAMING: readonly Case[] = [
  table('#51', 'FILTER(Store, Store[Sid] = 1)', STORE, [[1, 'Bern', 'North']]),
  table('#52', 'evaluate filter(STORE, store[sid] = 1)', STORE, [[1, 'Bern', 'North']]),
  table('#53', 'ROW("t", [Total], "n", BLANK())', ['[t]', '[n]'], [[52, null]]),
  table(
    '#54',
    'SELECTCOLUMNS(Store, "c", Store[City], Store[Region])',
    ['[c]', 'Store[Region]'],
    [
      ['Bern', 'North'],
      ['Graz', 'South'],
      ['Linz', 'South'],
    ],
  ),
  table(
    '#55',
    '{(1,"a"),(2,"b")}',
    ['[Value1]', '[Value2]'],
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ),
];

/** Spellings that the grammar allows, and errors with their positions. */
const OWN: readonly Case[] = [
  value('signs bind behind a power', '2^-1', 0.5),
  value('a plus does nothing', '+"a"', 'a'),
  value('a number may begin with its point', '.5 + 1e1', 10.5),
  value('quotes within a text', '"a""b"', 'a"b'),
  value('comments are blanks', '1 /* one */ + // two\n2', 3),
  value('a measure may have its table in front', 'Sale[Total]', 52),
  value('a name may be quoted', "SUM('Sale'[Amount])", 52),
  value('inner variables hide outer ones', 'VAR a = 1 RETURN a + (VAR a = 10 RETURN a + 1)', 12),
  value('a variable uses an earlier one', 'VAR a = 2 VAR b = a * 3 RETURN a + b', 8),
  table(
    'a later definition uses an earlier one',
    'DEFINE VAR a = 2 VAR b = a + 1 EVALUATE {a, b}',
    ['[Value]'],
    [[2], [3]],
  ),
  table(
    'a defined measure uses another one',
    'DEFINE MEASURE Sale[Half] = [Total] / 2 MEASURE Sale[Quarter] = [Half] / 2 EVALUATE {[Quarter]}',
    ['[Value]'],
    [[13]],
  ),
  table(
    'a definition hides the measure of the model in other measures too',
    'DEFINE MEASURE Sale[Total] = 1 EVALUATE {[Twice]}',
    ['[Value]'],
    [[2]],
  ),
  kept('an empty place is an argument left out', 'FILTER(Store, FIND("z", Store[City],, 0) > 0)', 'Store[City]', [
    'Graz',
    'Linz',
  ]),
  refused('the input ends early', 'EVALUATE FILTER(Store,', /end of the input/i, { at: [1, 23] }),
  refused('an open text', 'EVALUATE {"a}', /token|syntax/i, { at: [1, 11] }),
  refused('a semicolon', 'EVALUATE ROW("x"; 1)', /syntax for ';'/i, { at: [1, 17] }),
  refused('a trailing comma', 'EVALUATE ROW("x", 1,)', /syntax for '\)'/i, { at: [1, 21] }),
  refused('an empty constructor', 'EVALUATE {}', /syntax for '}'/i, { at: [1, 11] }),
  refused('an unknown table', 'EVALUATE Shop', /'Shop'/, { at: [1, 10] }),
  refused('an unknown column', 'EVALUATE FILTER(Store,\n  Store[Town] = "x")', /'Town'/, { at: [2, 3] }),
  refused('an unknown measure', 'EVALUATE {1, [Sum]}', /'Sum'/, { at: [1, 14] }),
  refused('an unknown function', 'EVALUATE {FOO(1)}', /FOO/, { at: [1, 11] }),
  refused('a function outside the subset', 'EVALUATE {PATHLENGTH("a")}', /PATHLENGTH/, { at: [1, 11] }),
  refused('too few arguments', 'EVALUATE {DIVIDE(1)}', /too few arguments.*DIVIDE/i, {
    at: [1, 11],
    compilerOnly: true,
  }),
  refused('too many arguments', 'EVALUATE {ISBLANK(1, 2)}', /too many arguments.*ISBLANK/i, {
    at: [1, 11],
    compilerOnly: true,
  }),
  refused('a bare column in an aggregate', 'EVALUATE {SUM([Amount])}', /Amount/),
  refused('a column without a row', 'EVALUATE {Store[City]}', /single value.*'City'.*'Store'/i, { at: [1, 11] }),
  refused('a table of several columns as a value', 'ROW("x", Store)', /columns/i),
  refused('a table of several rows as a value', 'ROW("x", VALUES(Store[City]))', /multiple values/i),
  refused(
    'a measure that uses itself',
    'DEFINE MEASURE Sale[a] = [b] MEASURE Sale[b] = [a] + 1 EVALUATE {[a]}',
    /circular/i,
    { compilerOnly: true },
  ),
  refused('more values of START AT than keys', 'EVALUATE {1} ORDER BY [Value] START AT 1, 2', /START AT/i),
  refused('names of columns twice', 'ROW("a", 1, "A", 2)', DUPLICATE),
  refused('a name that is no constant', 'ROW("a" & "b", 1)', /name|constant/i),
  refused('text and boolean', 'FILTER(T, T[Txt] = TRUE)', /compar/i),
  refused('boolean and number', 'FILTER(T, T[Flag] = 1)', /compar/i),
  refused('a whole number that is too large', '{9223372036854775807 + 1}', /overflow|range|large/i),
];

export const GRAMMAR: readonly Case[] = [...OPERATORS, ...STATEMENTS, ...TYPES, ...TEXTS, ...NAMING, ...OWN];
