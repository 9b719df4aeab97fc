import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueryError } from '../../../../src/services/datasets/language/errors.ts';
import type { Expression } from '../../../../src/services/datasets/language/syntax/ast.ts';
import { parseMeasure, parseQuery } from '../../../../src/services/datasets/language/syntax/parse.ts';

/** The tree with explicit parentheses. */
function shown(it: Expression | undefined): string {
  switch (it?.kind) {
    case undefined:
      return '';
    case 'literal':
      if (typeof it.value === 'object') return `date(${it.value.serial})`;
      return typeof it.value === 'string' ? JSON.stringify(it.value) : String(it.value);
    case 'column':
      return `${it.table ?? ''}[${it.name}]`;
    case 'name':
      return it.quoted ? `'${it.name}'` : it.name;
    case 'call':
      return `${it.name}(${it.args.map(shown).join()})`;
    case 'unary':
      return `(${it.operator} ${shown(it.operand)})`;
    case 'binary':
      return `(${shown(it.left)} ${it.operator} ${shown(it.right)})`;
    case 'in':
      return `(${it.values.map(shown).join()} IN ${shown(it.table)})`;
    case 'table':
      return `{${it.rows.map((row) => (row.length === 1 ? shown(row[0]) : `(${row.map(shown).join()})`)).join()}}`;
    case 'let':
      return `let ${it.variables.map(({ name, value }) => `${name}=${shown(value)}`).join()} in ${shown(it.body)}`;
  }
}

const mistake = (parse: () => unknown): string => {
  try {
    parse();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return `(${error.position?.line}, ${error.position?.column}) ${error.message}`;
  }
  return 'no mistake';
};

describe('an expression', () => {
  it.each([
    ['-2^2', '(- (2 ^ 2))'],
    ['2^3^2', '((2 ^ 3) ^ 2)'],
    ['2^-1', '(2 ^ (- 1))'],
    ['5+2*3-1', '((5 + (2 * 3)) - 1)'],
    ['1+1 & "x"', '((1 + 1) & "x")'],
    ['1 & 2 = "12"', '((1 & 2) = "12")'],
    ['NOT 1 IN {2,3}', '(NOT (1 IN {2,3}))'],
    ['NOT(a) && b', '((NOT a) && b)'],
    ['a || b && c', '(a || (b && c))'],
    ['(1,"a") IN {(1,"A"),(2,"b")}', '(1,"a" IN {(1,"A"),(2,"b")})'],
    ['{(1)+2, (3), -4}', '{(1 + 2),3,(- 4)}'],
    ['{(1,2) IN {(1,2)}}', '{(1,2 IN {(1,2)})}'],
    ['1 < 2 < 3', '((1 < 2) < 3)'],
    ['7--2 is a comment', '7'],
    ['1 /* not nested /* */ + 2 // rest', '(1 + 2)'],
    ['FIND("a", x,, 0)', 'FIND("a",x,,0)'],
    ['f()', 'F()'],
    ['true && False()', '(true && false)'],
    ['"say ""no"""', '"say \\"no\\""'],
    ["'My T' [a]]b]", 'My T[a]b]'],
    ["'it''s'", "'it's'"],
    ['Date[Year] + [Total]', '(Date[Year] + [Total])'],
    ['.5 + 2. + 1e3 + 1.5E-2', '(((0.5 + 2) + 1000) + 0.015)'],
    ['9223372036854775807 + 9223372036854775808', '(9223372036854775807 + 9223372036854776000)'],
    ['dt"2024-01-05" + DT"2024-1-5 12:00:00"', '(date(45296) + date(45296.5))'],
    ['PERCENTILE.INC(x)', 'PERCENTILE.INC(x)'],
    ['VAR a = 1 VAR b = a RETURN a + b', 'let a=1,b=a in (a + b)'],
    ['1 + (VAR a = 1 RETURN a)', '(1 + let a=1 in a)'],
    ['= SUM(T[c])', 'SUM(T[c])'],
  ])('%s', (text, tree) => {
    expect(shown(parseMeasure(text))).toBe(tree);
  });

  it.each([
    ['', '(1, 1) The end of the input was reached.'],
    ['1 +', '(1, 4) The end of the input was reached.'],
    ['1 +\n  * 2', "(2, 3) The syntax for '*' is incorrect."],
    ['f(1,)', "(1, 5) The syntax for ')' is incorrect."],
    ['f(1;2)', "(1, 4) The syntax for ';' is incorrect."],
    ['{}', "(1, 2) The syntax for '}' is incorrect."],
    ['{(1,2), 3}', '(1, 1) The rows of a table constructor must have the same number of values.'],
    ['(1, 2)', '(1, 7) The end of the input was reached.'],
    ['"a""b', '(1, 1) Invalid token: a text is not closed.'],
    ["1 + 'T", '(1, 5) Invalid token: the name of a table is not closed.'],
    ['[a\nb]', '(1, 1) Invalid token: the name of a column is not closed.'],
    ['1 != 2', "(1, 3) The syntax for '!' is incorrect."],
    ['@p', "(1, 1) The syntax for '@' is incorrect."],
    ['VAR a = 1', '(1, 10) The end of the input was reached.'],
    ['VAR return = 1 RETURN 1', "(1, 5) The syntax for 'return' is incorrect."],
    ['dt"2024-02-30"', `(1, 1) '2024-02-30' is not a date. Write dt"2024-01-05" or dt"2024-01-05T13:04:09".`],
    ['1 2', "(1, 3) The syntax for '2' is incorrect."],
    ['😀', "(1, 1) The syntax for '😀' is incorrect."],
    ['"😀" + ;', "(1, 8) The syntax for ';' is incorrect."],
  ])('%j is refused', (text, message) => {
    expect(mistake(() => parseMeasure(text))).toBe(message);
  });

  it('is refused quickly if it is nested too deeply or too long', () => {
    expect(mistake(() => parseMeasure('('.repeat(100_000)))).toContain('nested too deeply');
    expect(mistake(() => parseMeasure('{('.repeat(50_000)))).toContain('nested too deeply');
    expect(mistake(() => parseMeasure('-'.repeat(3).concat('+'.repeat(100_000), '1')))).toContain('end of the input');
    expect(mistake(() => parseMeasure(`1${'+1'.repeat(100_000)}`))).toContain('too many operators');
    expect(mistake(() => parseMeasure(`2${'^2'.repeat(100_000)}`))).toContain('too many operators');
  });

  it('of arbitrary text is parsed, or refused with a position', () => {
    const parts = [
      '(',
      ')',
      '{',
      '}',
      ',',
      '"',
      "'",
      '[',
      ']',
      'VAR ',
      'RETURN ',
      'IN ',
      'NOT ',
      '1',
      'a',
      '+',
      '--',
      '/*',
      '*/',
      '\n',
      '😀',
    ];
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.constantFrom(...parts)).map((some) => some.join('')),
    );
    fc.assert(
      fc.property(text, (any) => {
        const found = mistake(() => parseMeasure(any));
        expect(found).toMatch(/^(no mistake|\(\d+, \d+\) )/);
      }),
    );
  });
});

describe('a query', () => {
  it('has definitions, tables, orders and a place to start at', () => {
    const query = parseQuery(
      'define var m = 3 measure Sale[z] = m evaluate filter(\'Order\', true) order by [a] desc, T[b] start at 2, "x" evaluate {1}',
    );
    expect(query.definitions.map(({ kind, name }) => [kind, name])).toEqual([
      ['variable', 'm'],
      ['measure definition', 'z'],
    ]);
    expect(query.evaluations.map(({ table }) => shown(table))).toEqual(["FILTER('Order',true)", '{1}']);
    const [{ order, startAt }] = query.evaluations as [(typeof query.evaluations)[number]];
    expect(order.map(({ key, descending }) => [shown(key), descending])).toEqual([
      ['[a]', true],
      ['T[b]', false],
    ]);
    expect(startAt.map(shown)).toEqual(['2', '"x"']);
  });

  it.each([
    ['', '(1, 1) The end of the input was reached.'],
    ['Sale', "(1, 1) The syntax for 'Sale' is incorrect."],
    ['DEFINE EVALUATE Sale', "(1, 8) The syntax for 'EVALUATE' is incorrect."],
    ['DEFINE VAR a = 1', '(1, 17) The end of the input was reached.'],
    ['DEFINE TABLE x = Sale EVALUATE x', '(1, 8) DEFINE TABLE is not supported.'],
    ['DEFINE MEASURE [x] = 1 EVALUATE {1}', "(1, 16) The syntax for 'x' is incorrect."],
    ['EVALUATE Sale ORDER Sale[a]', "(1, 21) The syntax for 'Sale' is incorrect."],
    ['EVALUATE Sale ORDER BY [a] START AT 1, 2', '(1, 40) START AT has more values than ORDER BY has keys.'],
    ['EVALUATE Sale; EVALUATE Sale', "(1, 14) The syntax for ';' is incorrect."],
  ])('%j is refused', (text, message) => {
    expect(mistake(() => parseQuery(text))).toBe(message);
  });
});
