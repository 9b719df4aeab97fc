import type { FunctionName } from '../store/functions.ts';

/** The type of an expression. `instant` is a DateTimeOffset, `text` a String. */
export type Kind = 'text' | 'guid' | 'number' | 'boolean' | 'instant' | 'date' | 'time' | 'duration' | 'enum';

/** Maps an OData function to a function of the store. */
export interface CallShape {
  /** The accepted types of each parameter. */
  readonly parameters: readonly (readonly Kind[])[];
  readonly optional?: number;
  readonly result: Kind;
  /** True if the result is an integer. */
  readonly whole?: boolean;
  readonly store: FunctionName | 'now' | 'mindatetime' | 'maxdatetime' | 'totalseconds';
  /** The arguments are in the order of an older protocol version. */
  readonly reversed?: boolean;
}

const TEXT = ['text'] as const;
const NUMBER = ['number'] as const;
const DATED = ['instant', 'date'] as const;
const TIMED = ['instant', 'time'] as const;

const test = (store: FunctionName): CallShape => ({ parameters: [TEXT, TEXT], result: 'boolean', store });
const whole = (parameters: CallShape['parameters'], store: FunctionName): CallShape => ({
  parameters,
  result: 'number',
  whole: true,
  store,
});

export const CALLS: ReadonlyMap<string, CallShape> = new Map<string, CallShape>([
  ['contains', test('contains')],
  ['startswith', test('startswith')],
  ['endswith', test('endswith')],
  ['substringof', { ...test('contains'), reversed: true }],
  ['indexof', whole([TEXT, TEXT], 'indexof')],
  ['length', whole([TEXT], 'length')],
  ['substring', { parameters: [TEXT, NUMBER, NUMBER], optional: 1, result: 'text', store: 'substring' }],
  ['tolower', { parameters: [TEXT], result: 'text', store: 'tolower' }],
  ['toupper', { parameters: [TEXT], result: 'text', store: 'toupper' }],
  ['trim', { parameters: [TEXT], result: 'text', store: 'trim' }],
  ['concat', { parameters: [TEXT, TEXT], result: 'text', store: 'concat' }],
  ['year', whole([DATED], 'year')],
  ['month', whole([DATED], 'month')],
  ['day', whole([DATED], 'day')],
  ['hour', whole([TIMED], 'hour')],
  ['minute', whole([TIMED], 'minute')],
  ['second', whole([TIMED], 'second')],
  ['fractionalseconds', { parameters: [TIMED], result: 'number', store: 'fractionalseconds' }],
  ['date', { parameters: [['instant']], result: 'date', store: 'date' }],
  ['time', { parameters: [['instant']], result: 'time', store: 'time' }],
  ['now', { parameters: [], result: 'instant', store: 'now' }],
  ['mindatetime', { parameters: [], result: 'instant', store: 'mindatetime' }],
  ['maxdatetime', { parameters: [], result: 'instant', store: 'maxdatetime' }],
  ['totalseconds', { parameters: [['duration']], result: 'number', store: 'totalseconds' }],
  ['round', { parameters: [NUMBER], result: 'number', store: 'round' }],
  ['floor', { parameters: [NUMBER], result: 'number', store: 'floor' }],
  ['ceiling', { parameters: [NUMBER], result: 'number', store: 'ceiling' }],
]);

/** OData functions that no list supports. They get a specific error instead of "unknown function". */
const REFUSED = new Set([
  'cast',
  'isof',
  'matchespattern',
  'totaloffsetminutes',
  'hassubset',
  'hassubsequence',
  'geo.distance',
  'geo.intersects',
  'geo.length',
  'case',
  'replace',
]);

export const isKnownFunction = (name: string): boolean => CALLS.has(name) || REFUSED.has(name);

export function refusedFunction(name: string): string | undefined {
  return REFUSED.has(name) ? `the function '${name}' is not supported` : undefined;
}
