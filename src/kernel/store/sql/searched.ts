import { findsNothing, phraseOf } from '../search/phrase.ts';
import type { Collection, Filter } from '../types.ts';
import type { SearchExpression } from './search-dialect.ts';

/** Phrases within one scope, joined by AND and OR: they are tested together on the words of a document. */
export interface Searched {
  readonly within: string | undefined;
  readonly expression: SearchExpression;
}

export interface SearchGroup {
  readonly searched: Searched;
  readonly isNegated: boolean;
}

const OPPOSITE = { and: 'or', or: 'and' } as const;

/**
 * Converts a filter that consists only of phrases. Returns undefined for any other filter, and if a phrase has no word. Throws if a phrase
 * does not fit the collection.
 */
export function searchedBy(collection: Collection<never>, filter: Filter): Searched | undefined {
  if (filter.op === 'matches') {
    const expression = phraseOf(collection, filter);
    return findsNothing(expression) ? undefined : { within: filter.within, expression };
  }
  if (filter.op !== 'and' && filter.op !== 'or') return undefined;
  const args: SearchExpression[] = [];
  let within: string | undefined;
  for (const arg of filter.args) {
    const searched = searchedBy(collection, arg);
    if (!searched || (args.length > 0 && searched.within !== within)) return undefined;
    within = searched.within;
    args.push(searched.expression);
  }
  return args.length === 0 ? undefined : { within, expression: { op: filter.op, args } };
}

/** Groups the phrases in a list of filters by scope. Negated phrases form separate groups, with the opposite operator (De Morgan). */
export function groupSearches(
  collection: Collection<never>,
  op: 'and' | 'or',
  args: readonly Filter[],
): { readonly groups: SearchGroup[]; readonly rest: Filter[] } {
  const rest: Filter[] = [];
  const gathered = new Map<string, { within: string | undefined; isNegated: boolean; args: SearchExpression[] }>();
  for (const arg of args) {
    const isNegated = arg.op === 'not';
    const searched = collection.search && searchedBy(collection, isNegated ? arg.arg : arg);
    if (!searched) {
      rest.push(arg);
      continue;
    }
    const { within, expression } = searched;
    const name = `${isNegated} ${within}`;
    const group = gathered.get(name);
    if (group) group.args.push(expression);
    else gathered.set(name, { within, isNegated, args: [expression] });
  }
  const groups = Array.from(gathered.values(), ({ within, isNegated, args: expressions }) => {
    const expression = { op: isNegated ? OPPOSITE[op] : op, args: expressions };
    return { searched: { within, expression }, isNegated };
  });
  return { groups, rest };
}
