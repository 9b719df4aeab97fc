import { atCharacter, shown, unparsable } from './errors.ts';
import type { Operator, SearchLanguage } from './language.ts';
import { type Token, tokensOf } from './tokens.ts';

/** One comparison as tokens, before its words are interpreted. */
export interface RawComparison {
  readonly left: Token;
  readonly operator: Operator;
  /** The text as it was written, for errors. */
  readonly operatorText: string;
  readonly operatorAt: number;
  readonly right: Token | List | undefined;
}

export interface List {
  readonly kind: 'list';
  readonly text: string;
  readonly at: number;
  readonly items: readonly Token[];
}

const SIGNS: Readonly<Record<string, Operator>> = {
  '=': '=',
  '==': '=',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

interface ReadOperator {
  readonly operator: Operator;
  readonly length: number;
}

/** Splits a filter into its comparisons. Only AND joins them; the error names every part that does not belong to a comparison. */
export function comparisonsIn(filter: string, language: SearchLanguage): RawComparison[] {
  const tokens = tokensOf(filter);
  refuseStatements(filter, tokens);
  const written: RawComparison[] = [];
  const left: Token[] = [];
  let isJoined = true;
  for (let i = 0; i < tokens.length; ) {
    const found = comparisonAt(filter, tokens, i);
    if (found && isJoined) {
      written.push(found.written);
      i += found.length;
      isJoined = false;
    } else if (isWord(tokens[i], 'AND') && !isJoined && i + 1 < tokens.length) {
      isJoined = true;
      i++;
    } else {
      const end = found ? i + found.length : tokens[i]!.text === '(' ? closing(filter, tokens, i) + 1 : i + 1;
      left.push(spanOf(filter, tokens, i, end));
      i = end;
      // For `a OR b`, the error names only the unexpected word, not the rest of the text.
      isJoined = true;
    }
  }
  if (left.length > 0) throw leftOver(filter, left, language);
  return written;
}

/** A semicolon ends a statement; a filter is a single statement. */
function refuseStatements(filter: string, tokens: readonly Token[]): void {
  const end = tokens.findIndex(({ kind, text }) => kind === 'sign' && text === ';');
  if (end === -1 || end === tokens.length - 1) return;
  const text = `Search filter contained multiple expression '${shown(filter)}'. Provide AND-ed expression list.`;
  throw atCharacter(text, tokens[end]!.at);
}

function leftOver(filter: string, left: readonly Token[], { wording }: SearchLanguage): Error {
  const { at } = left[0]!;
  if (wording === 'logged-models') {
    const example = "(e.g. 'metrics.loss > 0.1 AND params.lr = 0.01')";
    const text = `Invalid filter string: '${shown(filter)}'. Expected a list of comparisons separated by 'AND' ${example}.`;
    return atCharacter(text, at);
  }
  const clauses = left.slice(0, 10).map(({ text }) => `'${shown(text)}'`);
  return atCharacter(`Invalid clause(s) in filter string: ${clauses.join(', ')}`, at);
}

function comparisonAt(
  filter: string,
  tokens: readonly Token[],
  i: number,
): { readonly written: RawComparison; readonly length: number } | undefined {
  const left = tokens[i]!;
  if (left.kind === 'operator' || left.kind === 'sign' || isJoin(left)) return undefined;
  const read = operatorAt(tokens, i + 1);
  if (!read) return undefined;
  const { operator, length } = read;
  const first = tokens[i + 1]!;
  const operatorText = spanOf(filter, tokens, i + 1, i + 1 + length).text;
  const base = { left, operator, operatorText, operatorAt: first.at };
  if (operator === 'IS NULL' || operator === 'IS NOT NULL')
    return { written: { ...base, right: undefined }, length: 1 + length };
  const at = i + 1 + length;
  const right = tokens[at];
  if (right?.text === '(') {
    const close = closing(filter, tokens, at);
    return { written: { ...base, right: listOf(filter, tokens, at, close) }, length: close - i + 1 };
  }
  if (!right || right.kind === 'operator' || right.kind === 'sign' || isJoin(right))
    throw wrongCount(tokens, i, first.at);
  return { written: { ...base, right }, length: 2 + length };
}

function operatorAt(tokens: readonly Token[], i: number): ReadOperator | undefined {
  const token = tokens[i];
  if (!token) return undefined;
  if (token.kind === 'operator') return { operator: SIGNS[token.text]!, length: 1 };
  for (const operator of ['LIKE', 'ILIKE', 'RLIKE', 'IN'] as const)
    if (isWord(token, operator)) return { operator, length: 1 };
  if (isWord(token, 'NOT') && isWord(tokens[i + 1], 'IN')) return { operator: 'NOT IN', length: 2 };
  if (!isWord(token, 'IS')) return undefined;
  if (isWord(tokens[i + 1], 'NULL')) return { operator: 'IS NULL', length: 2 };
  if (isWord(tokens[i + 1], 'NOT') && isWord(tokens[i + 2], 'NULL')) return { operator: 'IS NOT NULL', length: 3 };
  return undefined;
}

function wrongCount(tokens: readonly Token[], start: number, at: number): Error {
  let end = start;
  while (end < tokens.length && !isJoin(tokens[end]!)) end++;
  return atCharacter(`Invalid comparison clause. Expected 3 tokens found ${end - start}`, at);
}

/** The index of the bracket that closes the one at `open`. */
function closing(filter: string, tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    const { kind, text } = tokens[i]!;
    if (kind !== 'sign') continue;
    if (text === '(') depth++;
    else if (text === ')' && --depth === 0) return i;
  }
  throw unparsable(filter, tokens[open]!.at);
}

function listOf(filter: string, tokens: readonly Token[], open: number, close: number): List {
  const { text, at } = spanOf(filter, tokens, open, close + 1);
  return { kind: 'list', text, at, items: tokens.slice(open + 1, close) };
}

/** Several tokens as one token with their original text. */
function spanOf(filter: string, tokens: readonly Token[], from: number, to: number): Token {
  const { at } = tokens[from]!;
  const last = tokens[to - 1]!;
  return { kind: 'sign', text: filter.slice(at, last.at + last.text.length), at };
}

const isJoin = (token: Token): boolean => isWord(token, 'AND') || isWord(token, 'OR');

const isWord = (token: Token | undefined, word: string): boolean =>
  token?.kind === 'identifier' && token.parts.isWord && token.text.toUpperCase() === word;
