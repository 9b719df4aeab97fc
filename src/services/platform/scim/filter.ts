import { invalid, shown, tooLong } from './errors.ts';

/** Filters of RFC 7644, 3.4.2.2, with the tolerances of the platform: texts may have single quotes or none, and keywords any case. */

export type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

export type FilterValue = string | number | boolean | null;

export type ScimFilter =
  | { readonly op: 'and' | 'or'; readonly args: readonly ScimFilter[] }
  | { readonly op: 'not'; readonly arg: ScimFilter }
  | { readonly op: 'present'; readonly path: AttributePath }
  | {
      readonly op: 'compare';
      readonly operator: Operator;
      readonly path: AttributePath;
      readonly value: FilterValue;
    }
  /** `emails[type eq "work" and value co "@"]`: a single value of the attribute satisfies the whole inner filter. */
  | { readonly op: 'some'; readonly attribute: string; readonly filter: ScimFilter }
  /** Never parsed from text: replaces a comparison with a member or a group (`related.ts`). */
  | { readonly op: 'among'; readonly ids: ReadonlySet<string> };

/** In lower case. */
export interface AttributePath {
  readonly attribute: string;
  readonly sub?: string;
}

const OPERATORS: ReadonlySet<string> = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le']);
const MOST_NODES = 200;
/** Upper bound for the tokens of a filter with the maximum number of comparisons, brackets included. */
const MOST_TOKENS = 10 * MOST_NODES;
/** Single quotes enclose a text if the closing quote is followed by a delimiter; in `O'Hara` the quote is part of the word. */
const TOKEN = /\s*(?:([()[\]])|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'(?=[\s()[\]]|$)|([^\s()[\]"]+))/y;
const NAME = /^[a-z$][a-z0-9_$-]*(?:\.[a-z$][a-z0-9_$-]*)?$/;

type Token = { readonly kind: 'bracket' | 'text' | 'word'; readonly text: string };

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end; ) {
    const from = TOKEN.lastIndex;
    if (tokens.length === MOST_TOKENS) throw tooLong(`A filter has at most ${MOST_NODES} comparisons.`);
    const [, bracket, quoted, single, word] = TOKEN.exec(text) ?? [];
    if (bracket !== undefined) tokens.push({ kind: 'bracket', text: bracket });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: unescaped(quoted) });
    else if (single !== undefined) tokens.push({ kind: 'text', text: unescapedSingle(single) });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else throw invalid('invalidFilter', `The filter cannot be parsed from position ${from + 1} on.`);
  }
  return tokens;
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    throw invalid('invalidFilter', `The text "${shown(text)}" of the filter has an unknown escape.`);
  }
}

/** Resolves the escapes of JSON in a text where double quotes need no escape. */
const unescapedSingle = (text: string): string =>
  unescaped(
    text.includes('\\')
      ? text.replace(/\\'|"|\\./gs, (each) => (each === "\\'" ? "'" : each === '"' ? '\\"' : each))
      : text,
  );

export function parseFilter(text: string): ScimFilter {
  const parser = new Parser(tokensOf(text));
  const filter = parser.alternatives();
  parser.expectEnd();
  return filter;
}

/** Maximum number of comparisons that a filter makes for one resource or value. */
export function comparisonsOf(filter: ScimFilter): number {
  if (filter.op === 'and' || filter.op === 'or') return filter.args.reduce((sum, arg) => sum + comparisonsOf(arg), 0);
  if (filter.op === 'not') return comparisonsOf(filter.arg);
  return filter.op === 'some' ? comparisonsOf(filter.filter) : 1;
}

/** The schemas of the platform's resources. */
const OWN_SCHEMA = /^urn:ietf:params:scim:schemas:(?:core|extension:workspace):2\.0:[a-z]+$/;

/**
 * Reduces `urn:ietf:params:scim:schemas:core:2.0:User:userName` to `username`. An attribute of another schema keeps its full name, which no
 * resource has.
 */
export function attributePath(name: string, scimType: 'invalidPath' | 'invalidFilter' = 'invalidPath'): AttributePath {
  const lower = name.toLowerCase();
  const colon = lower.startsWith('urn:') ? lower.lastIndexOf(':') : -1;
  if (colon > 0 && !OWN_SCHEMA.test(lower.slice(0, colon))) return { attribute: lower };
  const plain = lower.slice(colon + 1);
  if (!NAME.test(plain)) throw invalid(scimType, `'${shown(name)}' is not the name of an attribute.`);
  const [attribute = '', sub] = plain.split('.');
  return { attribute, ...(sub !== undefined && { sub }) };
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #nodes = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  expectEnd(): void {
    const token = this.#tokens[this.#next];
    if (token) throw invalid('invalidFilter', `The filter has '${shown(token.text)}' after its end.`);
  }

  alternatives(): ScimFilter {
    return this.#joined('or', () => this.#joined('and', () => this.#term()));
  }

  #joined(op: 'and' | 'or', part: () => ScimFilter): ScimFilter {
    const args = [part()];
    while (this.#takeWord(op)) args.push(part());
    return args.length === 1 ? (args[0] as ScimFilter) : { op, args };
  }

  #term(): ScimFilter {
    this.#nodes += 1;
    if (this.#nodes > MOST_NODES) throw tooLong(`A filter has at most ${MOST_NODES} comparisons.`);
    if (this.#takeWord('not')) return { op: 'not', arg: this.#bracketed() };
    if (this.#peek()?.text === '(' && this.#peek()?.kind === 'bracket') return this.#bracketed();
    const name = this.#take();
    if (name?.kind !== 'word') throw invalid('invalidFilter', 'The filter ends where an attribute should be.');
    const path = attributePath(name.text, 'invalidFilter');
    if (this.#takeBracket('[')) {
      const filter = this.alternatives();
      if (!this.#takeBracket(']'))
        throw invalid('invalidFilter', `The filter lacks the ']' of '${shown(name.text)}['.`);
      return { op: 'some', attribute: path.attribute, filter };
    }
    if (this.#takeWord('pr')) return { op: 'present', path };
    const operator = this.#take()?.text.toLowerCase() ?? '';
    if (!isOperator(operator)) {
      const known = [...OPERATORS, 'pr'].join(', ');
      throw invalid('invalidFilter', `'${shown(operator)}' is not an operator of filters; they are ${known}.`);
    }
    const value = this.#take();
    if (!value || value.kind === 'bracket')
      throw invalid('invalidFilter', `The filter lacks the value after '${shown(name.text)} ${operator}'.`);
    return { op: 'compare', operator, path, value: readValue(value) };
  }

  #bracketed(): ScimFilter {
    if (!this.#takeBracket('(')) throw invalid('invalidFilter', "The filter needs '(' after 'not'.");
    const filter = this.alternatives();
    if (!this.#takeBracket(')')) throw invalid('invalidFilter', "The filter lacks a ')'.");
    return filter;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#next];
  }

  #take(): Token | undefined {
    const token = this.#tokens[this.#next];
    this.#next += 1;
    return token;
  }

  #takeWord(word: string): boolean {
    const token = this.#peek();
    if (token?.kind !== 'word' || token.text.toLowerCase() !== word) return false;
    this.#next += 1;
    return true;
  }

  #takeBracket(bracket: string): boolean {
    const token = this.#peek();
    if (token?.kind !== 'bracket' || token.text !== bracket) return false;
    this.#next += 1;
    return true;
  }
}

const isOperator = (text: string): text is Operator => OPERATORS.has(text);

const WORDS: Readonly<Record<string, FilterValue>> = { true: true, false: false, null: null };

function readValue({ kind, text }: Token): FilterValue {
  if (kind === 'text') return text;
  const lower = text.toLowerCase();
  if (Object.hasOwn(WORDS, lower)) return WORDS[lower] as FilterValue;
  return text;
}
