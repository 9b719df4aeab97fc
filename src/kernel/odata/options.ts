import { type ExpandItem, type ExpandOptions, LIMITS, type OrderItem, type SelectItem } from './ast.ts';
import { parseExpression } from './parser.ts';
import { Scanner } from './scanner.ts';

const DIGITS = /\d{1,9}(?!\d)/y;
const WORD = /[a-z]+/iy;
const OPTION_NAME = /\$?[a-z]+(?=[ \t]*=)/iy;
const EVERYTHING = /\*/y;

export function parseOrderBy(source: string): OrderItem[] {
  const scanner = new Scanner('$orderby', source);
  const items = orderItems(scanner);
  scanner.requireEnd();
  return items;
}

export function parseSelect(source: string): SelectItem[] {
  const scanner = new Scanner('$select', source);
  const items = selectItems(scanner);
  scanner.requireEnd();
  return items;
}

export function parseExpand(source: string): ExpandItem[] {
  const scanner = new Scanner('$expand', source);
  const items = expandItems(scanner, 1);
  scanner.requireEnd();
  return items;
}

function orderItems(scanner: Scanner): OrderItem[] {
  const items: OrderItem[] = [];
  do {
    if (items.length >= LIMITS.orders)
      throw scanner.error('TooComplex', `more than ${LIMITS.orders} names in $orderby`);
    const expression = parseExpression(scanner);
    scanner.space();
    const direction = scanner.peekWord();
    if (direction === 'asc' || direction === 'desc') scanner.at += direction.length;
    items.push({ expression, descending: direction === 'desc' });
  } while (scanner.take(','));
  return items;
}

function selectItems(scanner: Scanner): SelectItem[] {
  const items: SelectItem[] = [];
  do {
    scanner.space();
    items.push({ at: scanner.count(), segments: segmentsOf(scanner) });
  } while (scanner.take(','));
  return items;
}

/** `*`, `name`, `address/city`, `Vendor.Type/name`. */
function segmentsOf(scanner: Scanner): string[] {
  if (scanner.match(EVERYTHING)) return ['*'];
  const segments: string[] = [];
  do {
    let name = scanner.name('the name of a property');
    while (scanner.char() === '.') {
      scanner.at++;
      name += `.${scanner.name("a name after '.'")}`;
    }
    scanner.count();
    segments.push(name);
  } while (scanner.char() === '/' && ++scanner.at);
  return segments;
}

function expandItems(scanner: Scanner, level: number): ExpandItem[] {
  if (level > LIMITS.expansions)
    throw scanner.error('TooDeep', `more than ${LIMITS.expansions} nested levels of $expand`);
  const items: ExpandItem[] = [];
  do {
    scanner.space();
    const at = scanner.count();
    const segments = segmentsOf(scanner);
    if (segments.at(-1)?.startsWith('$'))
      throw scanner.error('NotSupported', `'${segments.at(-1)}' is not supported`, at);
    const options = scanner.take('(') ? expandOptions(scanner, level) : {};
    items.push({ segments, options, at });
  } while (scanner.take(','));
  return items;
}

/** Reads `$filter=…;$select=…)`: the options up to and including the closing parenthesis. */
function expandOptions(scanner: Scanner, level: number): ExpandOptions {
  const options: { -readonly [Name in keyof ExpandOptions]: ExpandOptions[Name] } = {};
  do {
    scanner.space();
    const at = scanner.at;
    const written = scanner.match(OPTION_NAME);
    if (written === undefined) throw scanner.expected('an option such as $filter=');
    scanner.require('=');
    const name = written.replace('$', '').toLowerCase();
    const known = NESTED[name];
    if (!known) throw scanner.error('NotSupported', `'${written}' is not supported in $expand`, at);
    if (known in options) throw scanner.error('Syntax', `'${written}' is given twice`, at);
    scanner.space();
    if (known === 'filter') options.filter = parseExpression(scanner);
    else if (known === 'orderBy') options.orderBy = orderItems(scanner);
    else if (known === 'select') options.select = selectItems(scanner);
    else if (known === 'expand') options.expand = expandItems(scanner, level + 1);
    else if (known === 'count') options.count = truth(scanner);
    else if (known === 'levels') options.levels = takesMax(scanner) ? 'max' : wholeNumber(scanner);
    else options[known] = wholeNumber(scanner);
  } while (scanner.take(';'));
  scanner.require(')', "';' or ')'");
  return options;
}

const NESTED: Readonly<Record<string, Exclude<keyof ExpandOptions, 'search'> | undefined>> = {
  __proto__: null as never,
  filter: 'filter',
  orderby: 'orderBy',
  select: 'select',
  expand: 'expand',
  top: 'top',
  skip: 'skip',
  count: 'count',
  levels: 'levels',
};

function wholeNumber(scanner: Scanner): number {
  const digits = scanner.match(DIGITS);
  if (digits === undefined) throw scanner.expected('a whole number');
  return Number(digits);
}

function truth(scanner: Scanner): boolean {
  const word = scanner.peek(WORD)?.toLowerCase();
  if (word !== 'true' && word !== 'false') throw scanner.expected('true or false');
  scanner.at += word.length;
  return word === 'true';
}

function takesMax(scanner: Scanner): boolean {
  if (scanner.peek(WORD)?.toLowerCase() !== 'max') return false;
  scanner.at += 3;
  return true;
}
