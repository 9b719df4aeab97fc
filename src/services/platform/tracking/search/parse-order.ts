import { invalidSearch, quotedSet, shown } from './errors.ts';
import { ATTRIBUTE, type OrderKey, type SearchLanguage } from './language.ts';
import { type Identifier, type Token, tokensOf, unquoted } from './tokens.ts';

/** The real limit is not published; each key is one more column to sort by. */
const MOST_KEYS = 20;

/** The requested order of results. Does not include the default order of the search, which serves as the tie-breaker. */
export function parseOrder(clauses: readonly string[] | undefined, language: SearchLanguage): readonly OrderKey[] {
  const keys = (clauses ?? []).map((clause) => orderKeyOf(clause, language));
  if (keys.length > MOST_KEYS) throw invalidSearch(`\`order_by\` has at most ${MOST_KEYS} fields, got ${keys.length}.`);
  const names = keys.map(({ entity, key }) => (entity === ATTRIBUTE ? key : `${entity}.${key}`));
  const repeated = names.filter((name, i) => names.indexOf(name) !== i);
  if (repeated.length > 0) {
    const list = [...new Set(repeated)].map((name) => `'${shown(name)}'`).join(', ');
    throw invalidSearch(`\`order_by\` contains duplicate fields: [${list}]`);
  }
  return keys;
}

function orderKeyOf(clause: string, language: SearchLanguage): OrderKey {
  const tokens = tokensOrNone(clause);
  const [first, second] = tokens;
  if (!first || tokens.length > 2) throw notParsed(clause);
  const identifier = identifierOf(first);
  if (!identifier) throw notParsed(clause);
  const direction = second?.text.toUpperCase() ?? 'ASC';
  if (direction !== 'ASC' && direction !== 'DESC')
    throw invalidSearch(`Invalid ordering key in order_by clause '${shown(clause)}'.`);
  return { ...orderedBy(identifier, language), descending: direction === 'DESC' };
}

function tokensOrNone(clause: string): readonly Token[] {
  try {
    return tokensOf(clause);
  } catch {
    return [];
  }
}

function identifierOf(token: Token): Identifier | undefined {
  if (token.kind === 'identifier') return token.parts;
  if (token.kind === 'string') return { entity: undefined, key: unquoted(token.text), isWord: false };
  return undefined;
}

const notParsed = (clause: string) => invalidSearch(`Invalid order_by clause '${shown(clause)}'. Could not be parsed.`);

function orderedBy({ entity: word = ATTRIBUTE, key }: Identifier, language: SearchLanguage) {
  const entity = language.entities.find(({ words }) => words.includes(word));
  if (!entity || (entity.name !== ATTRIBUTE && !language.orderEntities.includes(entity.name)))
    throw invalidSearch(language.refusedEntity(shown(word)));
  if (entity.name !== ATTRIBUTE) return { entity: entity.name, key };
  const { orderAttributes } = language;
  const name = Object.hasOwn(orderAttributes, key) ? orderAttributes[key] : undefined;
  if (name === undefined) {
    const keys = quotedSet(Object.keys(orderAttributes));
    throw invalidSearch(`Invalid attribute key '${shown(key)}' specified. Valid keys are '${keys}'`);
  }
  return { entity: ATTRIBUTE, key: name };
}
