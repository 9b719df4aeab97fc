import { findsNothing, type Matches, type Phrase, phraseOf } from '../search/phrase.ts';
import type { Collection, Expression, Filter } from '../types.ts';
import type { SearchExpression } from './search-dialect.ts';

/** How the full-text index can help with a filter, treated as a conjunction. */
export interface SearchPlan {
  /** The index finds every document that matches the filter, and possibly more. */
  readonly expression: SearchExpression;
  /** True if the index has to gather all words with a prefix before it returns the first document. */
  readonly gathersPrefix: boolean;
  /** The conditions that remain to be tested on a document that the index has found. */
  readonly afterIndex: readonly Filter[];
  /** `plain` conditions can use indexes of fields; `tested` ones need the words of a document. */
  readonly plain: readonly Filter[];
  readonly tested: readonly Filter[];
  /** The fields that `tested` conditions read. */
  readonly testedFields: ReadonlySet<string>;
}

/** Above this number of phrases, testing each document is cheaper. */
const MOST_PHRASES = 200;

/**
 * Returns undefined if the index cannot help, because no phrase is required in every result. Throws if a phrase does not fit the
 * collection.
 */
export function planSearch(collection: Collection<never>, filter: Filter | undefined): SearchPlan | undefined {
  if (!filter || !collection.search) return undefined;
  const conjuncts = [...conjunctsOf(filter)];
  const first = conjuncts.map(firstMatches).find((each) => each !== undefined);
  if (!first) return undefined;
  const terms = conjuncts.map((each) => termFor(collection, first.within, each));
  const found = allOf(terms);
  if (!found || phrasesIn(found.expression) > MOST_PHRASES) return undefined;
  const field = collection.search.within;
  const scope: Filter[] =
    first.within === undefined || field === undefined ? [] : [{ op: 'eq', field, value: first.within }];
  const tested = conjuncts.filter((each) => searches(each));
  return {
    expression: found.expression,
    gathersPrefix: found.gathersPrefix,
    afterIndex: [...scope, ...conjuncts.filter((_, i) => !found.covered.has(terms[i]!))],
    plain: [...scope, ...conjuncts.filter((each) => !searches(each))],
    tested,
    testedFields: new Set(tested.flatMap((each) => [...fieldsOf(collection, each)])),
  };
}

/** An index expression that every match of a filter satisfies. */
interface IndexTerm {
  readonly expression: SearchExpression;
  /** True if the expression finds only matches of the filter, except in other scopes. */
  readonly isExact: boolean;
  readonly gathersPrefix: boolean;
}

function termFor(collection: Collection<never>, within: string | undefined, filter: Filter): IndexTerm | undefined {
  if (filter.op === 'matches')
    return filter.within === within ? termForPhrase(phraseOf(collection, filter)) : undefined;
  if (filter.op !== 'and' && filter.op !== 'or') return undefined;
  const args = filter.args.map((arg) => termFor(collection, within, arg));
  if (filter.op === 'and') {
    const all = allOf(args);
    return all && { ...all, isExact: args.every((arg) => arg && all.covered.has(arg)) };
  }
  const all = args.filter((arg) => arg !== undefined);
  if (all.length === 0 || all.length < args.length) return undefined;
  return {
    expression: { op: 'or', args: all.map(({ expression }) => expression) },
    isExact: all.every(({ isExact }) => isExact),
    gathersPrefix: all.some(({ gathersPrefix }) => gathersPrefix),
  };
}

/**
 * A prefix at the end of a longer phrase is left out: the other words are found faster, and the phrase is then tested in the documents
 * found.
 */
function termForPhrase(phrase: Phrase): IndexTerm | undefined {
  if (findsNothing(phrase)) return undefined;
  const { words, prefix } = phrase;
  if (!prefix || words.length === 1) return { expression: phrase, isExact: true, gathersPrefix: prefix };
  return {
    expression: { ...phrase, words: words.slice(0, -1), prefix: false },
    isExact: false,
    gathersPrefix: false,
  };
}

/** Combines the terms of a conjunction that the index answers quickly; prefix terms are used only if there are no others. */
function allOf(terms: readonly (IndexTerm | undefined)[]) {
  const there = terms.filter((each) => each !== undefined);
  const quick = there.filter(({ gathersPrefix }) => !gathersPrefix);
  const chosen = quick.length > 0 ? quick : there;
  if (chosen.length === 0) return undefined;
  return {
    expression: { op: 'and' as const, args: chosen.map(({ expression }) => expression) },
    gathersPrefix: quick.length === 0,
    covered: new Set<IndexTerm | undefined>(chosen.filter(({ isExact }) => isExact)),
  };
}

function* conjunctsOf(filter: Filter): Generator<Filter> {
  if (filter.op !== 'and') yield filter;
  else for (const arg of filter.args) yield* conjunctsOf(arg);
}

/** The first phrase that is not negated. */
function firstMatches(filter: Filter): Matches | undefined {
  if (filter.op === 'matches') return filter;
  if (filter.op !== 'and' && filter.op !== 'or') return undefined;
  for (const arg of filter.args) {
    const found = firstMatches(arg);
    if (found) return found;
  }
  return undefined;
}

function searches(filter: Filter): boolean {
  if (filter.op === 'and' || filter.op === 'or') return filter.args.some(searches);
  return filter.op === 'not' ? searches(filter.arg) : filter.op === 'matches';
}

function phrasesIn(expression: SearchExpression): number {
  return 'op' in expression ? expression.args.reduce((sum, arg) => sum + phrasesIn(arg), 0) : expression.parts.length;
}

/** The fields whose columns a condition reads. Sets have separate tables, which refer to documents by key. */
function* fieldsOf(collection: Collection<never>, filter: Filter): Generator<string> {
  switch (filter.op) {
    case 'and':
    case 'or':
      for (const arg of filter.args) yield* fieldsOf(collection, arg);
      break;
    case 'not':
      yield* fieldsOf(collection, filter.arg);
      break;
    case 'matches':
      if (collection.search?.within !== undefined) yield collection.search.within;
      break;
    case 'compare':
      yield* fieldsIn(filter.left);
      yield* fieldsIn(filter.right);
      break;
    case 'among':
      yield* fieldsIn(filter.left);
      break;
    case 'linked':
      yield filter.by;
      break;
    case 'has':
    case 'hasAny':
      yield 'key';
      break;
    default:
      yield filter.field;
  }
}

function* fieldsIn(expression: Expression): Generator<string> {
  if ('field' in expression) yield expression.field;
  else if ('call' in expression) for (const arg of expression.args) yield* fieldsIn(arg);
}
