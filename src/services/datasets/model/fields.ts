import { isGuid } from '../../../kernel/odata/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import type { Mistakes } from './mistakes.ts';

/** The rule for a property of a request. Names are case-sensitive, null counts as missing, and an unknown property is a mistake. */
export type FieldRule =
  | {
      readonly kind: 'text';
      readonly required?: true;
      readonly most: number;
      readonly pattern?: RegExp;
      /** Describes the pattern in the message, after "must". */
      readonly rule?: string;
    }
  /** An enum value, matched case-insensitively and returned in this spelling. */
  | { readonly kind: 'word'; readonly required?: true; readonly words: readonly string[] }
  /** With `orOne`, a single object is accepted as a list of one. */
  | { readonly kind: 'list'; readonly required?: true; readonly orOne?: true }
  | { readonly kind: 'flag' | 'guid' | 'object'; readonly required?: true };

export type Shape = Readonly<Record<string, FieldRule>>;

type ValueOf<R> = R extends { readonly kind: 'flag' }
  ? boolean
  : R extends { readonly kind: 'list' }
    ? readonly unknown[]
    : R extends { readonly kind: 'object' }
      ? Readonly<Record<string, unknown>>
      : R extends { readonly words: readonly (infer Word)[] }
        ? Word
        : string;

type Required<S> = { [N in keyof S as S[N] extends { readonly required: true } ? N : never]: S[N] };

/** The result of reading an object by a shape. */
export type Read<S> = { readonly [N in keyof Required<S>]: ValueOf<S[N & keyof S]> } & {
  readonly [N in keyof Omit<S, keyof Required<S>>]?: ValueOf<S[N & keyof S]>;
};

/** No control characters except tabs and line ends, and no unpaired surrogates. */
const PRINTABLE = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;

export const isPrintable = (text: string): boolean => PRINTABLE.test(text);

/** Reads an object by its shape. Adds every mistake and returns undefined if the object does not match. */
export function readFields<const S extends Shape>(
  value: unknown,
  shape: S,
  at: string,
  mistakes: Mistakes,
): Read<S> | undefined {
  if (!isObject(value)) {
    mistakes.add(at, `${at || 'The request body'} must be an object.`);
    return undefined;
  }
  const found: Record<string, unknown> = {};
  let isFit = true;
  const wrong = (name: string, message: string): void => {
    isFit = false;
    mistakes.add(below(at, name), message);
  };
  for (const name of Object.keys(value)) {
    const rule = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!rule) wrong(name.slice(0, 100), unknownProperty(name, shape));
    else if (value[name] !== null) {
      const mistake = mistakeIn(rule, value[name]);
      if (mistake !== undefined) wrong(name, `'${name}' must ${mistake}.`);
      else found[name] = readAs(rule, value[name]);
    }
  }
  for (const [name, { required }] of Object.entries(shape)) {
    const isAbsent = !Object.hasOwn(value, name) || value[name] === null;
    if (required && isAbsent) wrong(name, `'${name}' is required.`);
  }
  // Each property was read by the rule from which its type is derived.
  return isFit ? (found as Read<S>) : undefined;
}

function readAs(rule: FieldRule, value: unknown): unknown {
  if (rule.kind === 'word') return wordOf(rule.words, value);
  return rule.kind === 'list' && !Array.isArray(value) ? [value] : value;
}

/** Appends to a path, for example `tables[0].columns`. */
export const below = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

function unknownProperty(name: string, shape: Shape): string {
  const like = Object.keys(shape).find((each) => each.toLowerCase() === name.toLowerCase());
  const hint =
    like === undefined ? `use one of ${Object.keys(shape).join(', ')}` : `names are case-sensitive: use '${like}'`;
  return `'${name.slice(0, 100)}' is not a property here; ${hint}.`;
}

function mistakeIn(rule: FieldRule, value: unknown): string | undefined {
  switch (rule.kind) {
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'be true or false';
    case 'list':
      return Array.isArray(value) || (rule.orOne && isObject(value)) ? undefined : 'be a list';
    case 'object':
      return isObject(value) ? undefined : 'be an object';
    case 'guid':
      return typeof value === 'string' && (value === '' || isGuid(value)) ? undefined : 'be a GUID';
    case 'word':
      return wordOf(rule.words, value) === undefined ? `be one of ${rule.words.join(', ')}` : undefined;
    case 'text':
      return textMistake(rule, value);
  }
}

function textMistake({ required, most, pattern, rule }: Extract<FieldRule, { kind: 'text' }>, value: unknown) {
  if (typeof value !== 'string') return 'be text';
  if (required && value.trim() === '') return 'not be empty';
  if (value.length > most) return `have at most ${most} characters`;
  if (!isPrintable(value)) return 'have no control characters';
  if (pattern && !pattern.test(value)) return rule;
  return undefined;
}

function wordOf(words: readonly string[], value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const lower = value.toLowerCase();
  return words.find((word) => word.toLowerCase() === lower);
}
