import fc from 'fast-check';
import { nastyNumbers, nastyTexts } from './arbitraries.ts';
import { COLORS } from './samples.ts';

/** Texts of filters that are valid for the documents of `samples.ts`. */

const quoted = nastyTexts.map((text) => `'${text.replaceAll("'", "''")}'`);
const call = (name: string, ...args: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...args).map((parts) => `${name}(${parts.join(',')})`);
const infix = (left: fc.Arbitrary<string>, operators: readonly string[], right: fc.Arbitrary<string>) =>
  fc.tuple(left, fc.constantFrom(...operators), right).map((parts) => `(${parts.join(' ')})`);

const COMPARE = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'];
const smallIntegers = fc.integer({ min: -5, max: 12 }).map(String);
const numberTexts = fc.oneof(
  smallIntegers,
  nastyNumbers.map((value) => (Object.is(value, -0) ? '-0' : String(value))),
);

type Tied = {
  text: string;
  number: string;
  instant: string;
  filter: string;
};

export const { filter: typedFilter } = fc.letrec<Tied>((tie) => ({
  text: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    fc.constantFrom('name', 'owner', 'place/city'),
    quoted,
    call('tolower', tie('text')),
    call('toupper', tie('text')),
    call('trim', tie('text')),
    call('concat', tie('text'), tie('text')),
    call('substring', tie('text'), tie('number')),
    call('substring', tie('text'), tie('number'), tie('number')),
  ),
  number: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    fc.constantFrom('size', 'price'),
    numberTexts,
    call('length', tie('text')),
    call('indexof', tie('text'), tie('text')),
    infix(tie('number'), ['add', 'sub', 'mul', 'div', 'divby', 'mod'], tie('number')),
    tie('number').map((text) => `-(${text})`),
    fc.constantFrom('round', 'floor', 'ceiling').chain((name) => call(name, tie('number'))),
    fc
      .constantFrom('year', 'month', 'day', 'hour', 'minute', 'second', 'fractionalseconds')
      .chain((name) => call(name, tie('instant'))),
    fc.constantFrom('year(day)', 'month(day)', 'day(day)', 'hour(hour)', 'second(hour)', 'fractionalseconds(hour)'),
    fc.constant('totalseconds(wait)'),
  ),
  instant: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    fc.constantFrom('at', 'now()', '2024-02-29T13:45:59.25Z', '1969-12-31T23:59:59.999Z'),
    infix(tie('instant'), ['add', 'sub'], fc.constantFrom('wait', "duration'PT36H'")),
  ),
  filter: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'filter' },
    infix(tie('text'), COMPARE, tie('text')),
    infix(tie('number'), COMPARE, tie('number')),
    infix(tie('instant'), COMPARE, tie('instant')),
    infix(fc.constantFrom('day', 'date(at)'), COMPARE, fc.constantFrom('day', '2024-02-29', 'date(at)')),
    infix(fc.constantFrom('hour', 'time(at)'), COMPARE, fc.constantFrom('hour', '12:30', 'time(at)')),
    infix(fc.constantFrom('name', 'size', 'on', 'at', 'color', 'id', 'note'), ['eq', 'ne'], fc.constant('null')),
    infix(fc.constantFrom('size', 'price'), COMPARE, fc.constantFrom('INF', '-INF', 'NaN')),
    infix(fc.constant('color'), ['eq', 'ne', 'has'], fc.constantFrom(...COLORS.map((color) => `'${color}'`))),
    fc.constantFrom('on', 'not on', 'on eq false', 'true', 'tags/any()', "note eq 'a'", 'tags/$count gt 1'),
    fc
      .constantFrom('startswith', 'endswith', 'contains', 'substringof')
      .chain((name) => call(name, tie('text'), tie('text'))),
    fc
      .tuple(tie('text'), fc.array(fc.oneof(quoted, fc.constant('null')), { maxLength: 3 }))
      .map(([text, list]) => `${text} in (${list})`),
    fc
      .tuple(tie('number'), fc.array(numberTexts, { maxLength: 3 }))
      .map(([number, list]) => `(${number}) in (${list})`),
    quoted.map((text) => `tags/any(t:t eq ${text})`),
    quoted.map((text) => `lines/all(l:l/id ne ${text} or l/value gt size)`),
    tie('filter').map((text) => `not (${text})`),
    infix(tie('filter'), ['and', 'or'], tie('filter')),
    tie('filter').map((text) => `(${text}) eq false`),
  ),
}));
