/**
 * The language of `$search`: words and phrases, `property:value`, upper-case AND, OR and NOT, parentheses. Adjacent words are combined with
 * AND. Anything else is treated as words, as a search box does.
 */
export type Search =
  | { readonly is: 'all' | 'any'; readonly of: readonly Search[] }
  | { readonly is: 'not'; readonly of: Search }
  | {
      readonly is: 'term';
      readonly property?: string;
      readonly operator: Operator;
      readonly value: string;
      readonly isPhrase: boolean;
    };

export type Operator = ':' | '>' | '>=' | '<' | '<=' | '=' | '<>';

export class SearchMistake extends Error {}

const MOST_TERMS = 100;
const MOST_NESTED = 20;

interface Token {
  readonly kind: 'open' | 'close' | 'and' | 'or' | 'not' | 'term';
  readonly property?: string;
  readonly operator?: Operator;
  readonly value?: string;
  readonly isPhrase?: boolean;
}

/** `( ) "phrase" word property:word property:"phrase" property>=word` */
const TOKEN = /\s*(?:([()])|(?:([A-Za-z]+)\s*(:|>=|<=|<>|>|<|=)\s*)?(?:"((?:[^"\\]|\\.)*)"|([^\s()"]+)))/y;

/** Parses the text of `$search`: in double quotes, with inner quotes written as `\"`, or without quotes. */
export function readSearch(source: string): Search {
  const trimmed = source.trim();
  const isQuoted =
    trimmed.length >= 2 && trimmed.startsWith('"') && trimmed.endsWith('"') && !/[^\\]"/.test(trimmed.slice(1, -1));
  const text = isQuoted ? trimmed.slice(1, -1).replaceAll('\\"', '"') : trimmed;
  const tokens = tokensIn(text);
  const reader = new Reader(tokens);
  return reader.whole();
}

/** `received:this week`: the only value of two words that needs no quotes. */
const SPAN_END = /\s+(?:week|month|year)(?![^\s()])/iy;

const startsSpan = ({ property = '', value = '', isPhrase }: Token): boolean =>
  !isPhrase && /^(?:received|sent)$/.test(property) && /^(?:this|last)$/i.test(value);

function tokensIn(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (!found) break;
    const token = tokenOf(found);
    SPAN_END.lastIndex = TOKEN.lastIndex;
    const rest = startsSpan(token) ? SPAN_END.exec(text)?.[0] : undefined;
    at = TOKEN.lastIndex + (rest?.length ?? 0);
    tokens.push(rest === undefined ? token : { ...token, value: `${token.value} ${rest.trim()}` });
    if (tokens.length > MOST_TERMS * 3) throw new SearchMistake(`the search has more than ${MOST_TERMS} terms`);
  }
  if (text.slice(at).trim() !== '') throw new SearchMistake(`'${text.slice(at, at + 40)}' cannot be parsed`);
  return tokens;
}

function tokenOf([, bracket, property, operator, phrase, word]: RegExpExecArray): Token {
  if (bracket !== undefined) return { kind: bracket === '(' ? 'open' : 'close' };
  if (property === undefined && (word === 'AND' || word === 'OR' || word === 'NOT'))
    return { kind: word.toLowerCase() as 'and' | 'or' | 'not' };
  return {
    kind: 'term',
    ...(property !== undefined && { property: property.toLowerCase(), operator: operator as Operator }),
    value: phrase?.replaceAll('\\"', '"') ?? word ?? '',
    isPhrase: phrase !== undefined,
  };
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  #terms = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Search {
    if (this.#tokens.length === 0) throw new SearchMistake('the search is empty');
    const search = this.#any();
    if (this.#at < this.#tokens.length) throw new SearchMistake("a ')' has no '(' before it");
    return search;
  }

  #any(): Search {
    const of = [this.#all()];
    while (this.#take('or')) of.push(this.#all());
    return of.length === 1 ? (of[0] as Search) : { is: 'any', of };
  }

  #all(): Search {
    const of: Search[] = [];
    for (;;) {
      if (this.#take('and')) continue;
      const next = this.#tokens[this.#at]?.kind;
      if (next === undefined || next === 'close' || next === 'or') break;
      of.push(this.#one());
    }
    if (of.length === 0) throw new SearchMistake('a term is missing');
    return of.length === 1 ? (of[0] as Search) : { is: 'all', of };
  }

  #one(): Search {
    if (this.#take('not')) return { is: 'not', of: this.#one() };
    if (this.#take('open')) {
      this.#depth += 1;
      if (this.#depth > MOST_NESTED)
        throw new SearchMistake(`parentheses are nested deeper than ${MOST_NESTED} levels`);
      const inner = this.#any();
      this.#depth -= 1;
      if (!this.#take('close')) throw new SearchMistake("a ')' is missing");
      return inner;
    }
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'term') throw new SearchMistake('a term is missing');
    this.#at += 1;
    this.#terms += 1;
    if (this.#terms > MOST_TERMS) throw new SearchMistake(`the search has more than ${MOST_TERMS} terms`);
    const { property, operator = ':', value = '', isPhrase = false } = token;
    return { is: 'term', ...(property !== undefined && { property }), operator, value, isPhrase };
  }

  #take(kind: Token['kind']): boolean {
    if (this.#tokens[this.#at]?.kind !== kind) return false;
    this.#at += 1;
    return true;
  }
}
