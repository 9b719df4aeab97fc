import { describe, expect, it } from 'vitest';
import type { Node } from '../../../src/kernel/odata/ast.ts';
import { compileFilter, compileOrder } from '../../../src/kernel/odata/compile.ts';
import { ODataError } from '../../../src/kernel/odata/errors.ts';
import { parseExpand, parseOrderBy, parseSelect } from '../../../src/kernel/odata/options.ts';
import { parseFilter } from '../../../src/kernel/odata/parser.ts';
import { print } from '../../../src/kernel/odata/print.ts';
import { shape } from './samples.ts';

/** Prints an expression in prefix notation, to show its structure. */
function outline(node: Node): string {
  switch (node.kind) {
    case 'junction':
      return `(${[node.operator, ...node.args.map(outline)].join(' ')})`;
    case 'binary':
      return `(${node.operator} ${outline(node.left)} ${outline(node.right)})`;
    case 'unary':
      return `(${node.operator} ${outline(node.operand)})`;
    case 'in':
      return `(in ${[node.operand, ...node.values].map(outline).join(' ')})`;
    case 'call':
      return `(${[node.name, ...node.args.map(outline)].join(' ')})`;
    default:
      return print(node);
  }
}

describe('an expression is read', () => {
  it.each([
    ['a or b and c', '(or a (and b c))'],
    ['a and b and c', '(and a b c)'],
    ['(a and b) and c', '(and (and a b) c)'],
    ['a eq b and c ne d', '(and (eq a b) (ne c d))'],
    ['a gt b eq c', '(eq (gt a b) c)'],
    ['a add b mul c', '(add a (mul b c))'],
    ['a sub b sub c', '(sub (sub a b) c)'],
    ['a sub (b sub c)', '(sub a (sub b c))'],
    ['not a eq b', '(eq (not a) b)'],
    ['not(a) and b', '(and (not a) b)'],
    ['not a in (1)', '(not (in a 1))'],
    ['a add b in (1)', '(add a (in b 1))'],
    ['-a mul -5', '(mul (negate a) -5)'],
    ['-(5)', '(negate 5)'],
    ['a  EQ\tb\nAND c', '(and (eq a b) c)'],
    ['Contains ( a , b )', '(contains a b)'],
    ['a eq -INF or a eq INF or a eq NaN', '(or (eq a -INF) (eq a INF) (eq a NaN))'],
    ['order eq android or notes eq island', '(or (eq order android) (eq notes island))'],
    ['ärger/größe eq 1', '(eq ärger/größe 1)'],
    ["x eq 'it''s' and y eq ''", "(and (eq x 'it''s') (eq y ''))"],
    ['tags/any(t:t eq 1 and b)', 'tags/any(t:t eq 1 and b)'],
    ['a/b/all( x : x/c )', 'a/b/all(x:x/c)'],
    ["a eq Vendor.Color'Red' and b has Color'x'", "(and (eq a Vendor.Color'Red') (has b Color'x'))"],
    ['year eq 2024 and date(x) eq date', '(and (eq year 2024) (eq (date x) date))'],
    ['in eq 1', '(eq in 1)'],
  ])('%s', (text, expected) => {
    expect(outline(parseFilter(text))).toBe(expected);
  });

  it('with the value of each literal', () => {
    const literals = [
      ['null', null],
      ['TRUE', true],
      ['false', false],
      ['-12', -12],
      ['1.5e3', 1500],
      ['-INF', -Infinity],
      ["'a''b'", "a'b"],
      ['3F2504E0-4F89-41D3-9A0C-0305E82C3301', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
      ['2024-02-29', '2024-02-29'],
      ['07:59', '07:59:00.000'],
      ['07:59:59.1239', '07:59:59.123'],
      ['2024-02-29T00:00:00.0019Z', Date.UTC(2024, 1, 29, 0, 0, 0, 1)],
      ['2024-02-29t00:00-02:30', Date.UTC(2024, 1, 29, 2, 30)],
      ["duration'-P1DT2H3M4.5S'", -93_784_500],
    ] as const;
    for (const [text, value] of literals)
      expect([text, parseFilter(text)]).toMatchObject([text, { kind: 'literal', value }]);
  });
});

/** The error of an option, with its position. */
function refusal(read: () => unknown): Pick<ODataError, 'code' | 'position' | 'message'> {
  try {
    read();
  } catch (error) {
    if (error instanceof ODataError) return { code: error.code, position: error.position, message: error.message };
    throw error;
  }
  throw new Error('it was taken');
}

describe('a mistake is named with its place', () => {
  it.each([
    ['', 'Syntax', 0, 'expected a value, a name or a function at position 0, at its end'],
    ['name eq', 'Syntax', 7, 'expected a value'],
    ['name is x', 'Syntax', 5, "expected an operator or the end at position 5, before 'is x'"],
    ['name eq x y', 'Syntax', 10, 'expected an operator or the end'],
    ["name eq 'x", 'Syntax', 8, 'no closing quote'],
    ['(size eq 1', 'Syntax', 10, "expected an operator or ')'"],
    ['size eq 1)', 'Syntax', 9, 'expected an operator or the end'],
    ['size in 1', 'Syntax', 8, "expected '(' and a list"],
    ['size in (1', 'Syntax', 10, "expected ',' or ')'"],
    ['size in (name)', 'Syntax', 9, 'expected a value'],
    ['size in (1,)', 'Syntax', 11, 'expected a value'],
    ['length(name', 'Syntax', 11, "expected ',' or ')'"],
    ['length() eq 1', 'Syntax', 0, "'length' takes 1 argument, not 0"],
    ['substring(name) eq 1', 'Syntax', 0, 'takes 2 or 3 arguments'],
    ['size eq 1 and', 'Syntax', 13, 'expected a value'],
    ['and size eq 1', 'Syntax', 4, 'expected an operator'],
    ['lines/all()', 'Syntax', 6, "'all' needs a condition"],
    ['tags/any(t)', 'Syntax', 10, "expected ':'"],
    ['place/ eq 1', 'Syntax', 6, "a name after '/'"],
    ['size eq 12abc', 'Syntax', 8, 'expected a value'],
    ['size eq 1.', 'Syntax', 8, 'expected a value'],
    ['size eq 1e999', 'InvalidValue', 8, 'too large'],
    ['day eq 2023-02-29', 'InvalidValue', 7, 'no such date'],
    ['day eq 0000-01-01', 'InvalidValue', 7, 'no such date'],
    ['hour eq 24:00', 'InvalidValue', 8, 'no such time'],
    ['at eq 2024-13-01T00:00Z', 'InvalidValue', 6, 'no such date and time'],
    ["wait eq duration'P'", 'InvalidValue', 16, 'not a duration'],
    ["id eq guid'x'", 'InvalidValue', 10, 'not a guid'],
    ["name eq binary'AAAA'", 'NotSupported', 8, "'binary' is not supported"],
    ['name eq @p', 'NotSupported', 8, 'names of parameters'],
    ['foo(name)', 'UnknownFunction', 0, "no function 'foo'"],
    ['name/foo(1)', 'UnknownFunction', 5, "no function 'foo' of a property"],
    ["matchesPattern(name,'x')", 'NotSupported', 0, "'matchespattern' is not supported"],
    ["cast(name,'Edm.Int32') eq 1", 'NotSupported', 0, "'cast' is not supported"],
    ["isof(name,'Edm.Int32')", 'NotSupported', 0, "'isof' is not supported"],
    ['nope eq 1', 'UnknownProperty', 0, "no property 'nope' (did you mean 'note'?); use one of name, owner, id"],
    ['constructor eq 1', 'UnknownProperty', 0, "no property 'constructor'"],
    ['__proto__ eq 1', 'UnknownProperty', 0, "no property '__proto__'"],
    ['size eq 1 and place/nope eq 1', 'UnknownProperty', 14, "no property 'nope'"],
    ['name/length eq 1', 'UnknownProperty', 0, 'has no members'],
    ['Vendor.Type/name eq 1', 'NotSupported', 0, "the type 'Vendor.Type'"],
    ["secret eq 'x'", 'NotSupported', 0, 'cannot be used in a filter'],
    ["size eq 'x'", 'TypeMismatch', 5, "'size', a number, cannot be compared with a string"],
    ['on and name gt 5', 'TypeMismatch', 12, "'name', a string, cannot be compared with a number"],
    ["id eq 'x'", 'TypeMismatch', 3, 'a guid'],
    ["size in (1,'x')", 'TypeMismatch', 5, 'a string cannot be compared'],
    ["at gt 'yesterday'", 'TypeMismatch', 3, 'a date-time'],
    ['day eq 2024-01-01T00:00:00Z', 'TypeMismatch', 4, 'a date'],
    ["color eq 'Pink'", 'InvalidValue', 9, "'Pink' is not one of Red, Green, DarkBlue"],
    ['color eq Pink', 'InvalidValue', 9, "'Pink' is not one of"],
    ['color gt Red', 'TypeMismatch', 6, 'have no order'],
    ["size has Color'Red'", 'TypeMismatch', 5, "'size' is not one"],
    ['name', 'TypeMismatch', 0, 'expected a condition'],
    ['size add 1', 'TypeMismatch', 5, 'expected a condition'],
    ["not name eq 'x'", 'TypeMismatch', 4, 'use parentheses, as in not (…)'],
    ['size add name eq 1', 'TypeMismatch', 5, "'add' does not take"],
    ['size add 1 in (8)', 'TypeMismatch', 11, 'a condition cannot be used as a value'],
    ['-name eq 1', 'TypeMismatch', 0, "'-' does not take"],
    ['length(size) eq 1', 'TypeMismatch', 7, "'length' does not take 'size', a number,"],
    ['year(size) eq 1', 'TypeMismatch', 5, "'year' does not take"],
    ['size add INF eq 1', 'NotSupported', 5, 'not used in a computation'],
    ['tags eq 1', 'TypeMismatch', 0, 'is a collection; use any or all'],
    ['lines/id eq 1', 'TypeMismatch', 0, 'goes through a collection'],
    ['place eq 1', 'TypeMismatch', 0, 'is an object'],
    ['name/any(x:x eq 1)', 'TypeMismatch', 5, 'is not a collection'],
    ['size/$count eq 1', 'TypeMismatch', 0, 'is not a collection'],
    ['(size eq 1) eq on', 'NotSupported', 12, 'with true or false'],
    ['(size eq 1) gt true', 'NotSupported', 12, 'with true or false'],
    ['tags/any(t:t eq size)', 'TypeMismatch', 13, "cannot be compared with 'size', a number,"],
  ])('%s', (text, code, position, message) => {
    expect(refusal(() => compileFilter(shape, text, 0))).toEqual({
      code,
      position,
      message: expect.stringContaining(message),
    });
  });

  it('in the other options too', () => {
    const at = (read: () => unknown) => {
      const { code, position } = refusal(read);
      return [code, position];
    };
    expect(at(() => compileOrder(shape, 'name desc, nope'))).toEqual(['UnknownProperty', 11]);
    expect(at(() => compileOrder(shape, 'name down'))).toEqual(['Syntax', 5]);
    expect(at(() => compileOrder(shape, 'name,'))).toEqual(['Syntax', 5]);
    expect(at(() => compileOrder(shape, 'note'))).toEqual(['NotSupported', 0]);
    expect(at(() => compileOrder(shape, 'length(name)'))).toEqual(['NotSupported', 0]);
    expect(at(() => compileOrder(shape, 'tags'))).toEqual(['TypeMismatch', 0]);
    expect(at(() => parseOrderBy(Array(11).fill('a').join()))).toEqual(['TooComplex', 20]);
    expect(at(() => parseSelect('a,,b'))).toEqual(['Syntax', 2]);
    expect(at(() => parseSelect('a b'))).toEqual(['Syntax', 2]);
    expect(at(() => parseExpand('a('))).toEqual(['Syntax', 2]);
    expect(at(() => parseExpand('a($nope=1)'))).toEqual(['NotSupported', 2]);
    expect(at(() => parseExpand('a($top=1;$top=2)'))).toEqual(['Syntax', 9]);
    expect(at(() => parseExpand('a($top=x)'))).toEqual(['Syntax', 7]);
    expect(at(() => parseExpand('a($count=maybe)'))).toEqual(['Syntax', 9]);
    expect(at(() => parseExpand('a($filter=b eq )'))).toEqual(['Syntax', 15]);
    expect(at(() => parseExpand('a/$ref'))).toEqual(['NotSupported', 0]);
    expect(at(() => parseExpand(`${'a($expand='.repeat(7)}a${')'.repeat(7)}`))).toEqual(['TooDeep', 60]);
  });
});

describe('the other options are read', () => {
  it('an order with its directions', () => {
    expect(compileOrder(shape, 'Name desc ,size ASC,on, name')).toEqual([
      { field: 'name', descending: true },
      { field: 'size', descending: false },
      { field: 'on', descending: false },
    ]);
    expect(compileOrder(shape, 'place/city desc')).toEqual([{ field: 'city', descending: true }]);
  });

  it('a selection with paths and a star', () => {
    expect(parseSelect('id, place/city,*,Vendor.Type/x').map(({ segments }) => segments)).toEqual([
      ['id'],
      ['place', 'city'],
      ['*'],
      ['Vendor.Type', 'x'],
    ]);
  });

  it('an expansion with options in it, and others in those', () => {
    const [lines, parent] = parseExpand(
      "lines($filter=contains(name,'a;b)');$Select=id,name;orderBy=size desc;$top=3;$skip=1;$count=true;$expand=item($levels=max)), parent",
    );
    expect(lines).toMatchObject({
      segments: ['lines'],
      options: {
        filter: { kind: 'call', args: [{}, { value: 'a;b)' }] },
        select: [{ segments: ['id'] }, { segments: ['name'] }],
        orderBy: [{ descending: true }],
        top: 3,
        skip: 1,
        count: true,
        expand: [{ segments: ['item'], options: { levels: 'max' } }],
      },
    });
    expect(parent).toMatchObject({ segments: ['parent'], options: {} });
  });
});
