import { comparisonsIn, type List, type RawComparison } from './comparisons.ts';
import { atCharacter, invalidSearch, quotedSet, quotedTuple, shown } from './errors.ts';
import {
  ATTRIBUTE,
  type Comparison,
  type EntityRule,
  isKeyRule,
  type KeyRule,
  type SearchLanguage,
} from './language.ts';
import { listValues } from './list-values.ts';
import { type Identifier, type Token, unquoted } from './tokens.ts';

/** Each comparison costs an index lookup. The real limit is not published; filters written by hand are far below it. */
const MOST_COMPARISONS = 100;

/** All comparisons of a filter; an empty list if it is empty or absent. */
export function parseFilter(filter: string | undefined, language: SearchLanguage): readonly Comparison[] {
  if (filter === undefined || filter === '') return [];
  const written = comparisonsIn(filter, language);
  if (written.length > MOST_COMPARISONS)
    throw invalidSearch(
      `Invalid filter '${shown(filter)}'. A filter has at most ${MOST_COMPARISONS} comparisons, got ${written.length}.`,
    );
  return written.map((each) => checked(each, language));
}

function checked(written: RawComparison, language: SearchLanguage): Comparison {
  const { left, operator, right } = written;
  const { entity, key, rule } = meaningOf(identifierOf(left), left.at, language);
  const comparison = { entity: entity.name, key: rule.name ?? key, operator, at: left.at };
  if (right === undefined) {
    if (!rule.operators.includes(operator)) throw noAbsence(written, entity, key);
    return { ...comparison, value: undefined };
  }
  if (language.wording === 'logged-models') refuseOperator(written, entity, key, rule, language);
  const value =
    right.kind === 'list' ? listOf(right, entity, key, rule, comparison.key) : singleValue(right, entity, key, rule);
  refuseOperator(written, entity, key, rule, language);
  if ((right.kind === 'list') !== (operator === 'IN' || operator === 'NOT IN')) {
    const wanted = right.kind === 'list' ? 'a single value' : 'a list of quoted string values';
    throw atCharacter(
      `Expected ${wanted} for comparator '${written.operatorText}'. Got value ${shown(right.text)}`,
      right.at,
    );
  }
  return { ...comparison, value };
}

function identifierOf(token: Token): Identifier {
  if (token.kind === 'identifier') return token.parts;
  // A key in double quotes without an entity looks like a value; it is an attribute whose name contains blanks.
  if (token.kind === 'string' && token.text.startsWith('"'))
    return { entity: undefined, key: unquoted(token.text), isWord: false };
  throw atCharacter(`Invalid comparison clause. Expected 'Identifier' found '${shown(token.text)}'`, token.at);
}

interface Meaning {
  readonly entity: EntityRule;
  readonly key: string;
  readonly rule: KeyRule;
}

function meaningOf(identifier: Identifier, at: number, language: SearchLanguage): Meaning {
  const { key } = identifier;
  const word = identifier.entity ?? ATTRIBUTE;
  const entity = language.entities.find(({ words }) => words.includes(word));
  if (!entity) throw atCharacter(language.refusedEntity(shown(word)), at);
  const rule = ruleOf(entity, key);
  if (rule) return { entity, key, rule };
  const keys = quotedSet(Object.keys(entity.keys));
  throw atCharacter(`Invalid ${entity.name} key '${shown(key)}' specified. Valid keys are '${keys}'`, at);
}

function ruleOf({ keys }: EntityRule, key: string): KeyRule | undefined {
  if (isKeyRule(keys)) return keys;
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

function refuseOperator(
  { operator, operatorText, operatorAt }: RawComparison,
  entity: EntityRule,
  key: string,
  { operators }: KeyRule,
  { wording, upperCaseWords }: SearchLanguage,
): void {
  const isLowered = upperCaseWords && operatorText !== operatorText.toUpperCase();
  if (operators.includes(operator) && !isLowered) return;
  const text =
    wording === 'logged-models'
      ? `Invalid comparison operator for ${entity.name === ATTRIBUTE ? key : entity.words[0]}: '${operatorText}'. Expected one of ${quotedTuple(operators)}.`
      : `Invalid comparator '${operatorText}' not one of '${quotedSet(operators)}'`;
  throw atCharacter(text, operatorAt);
}

function noAbsence({ operatorAt }: RawComparison, { name }: EntityRule, key: string): Error {
  const text = `IS NULL / IS NOT NULL is only supported for tags and params, not for '${name}' '${shown(key)}'`;
  return atCharacter(text, operatorAt);
}

function singleValue(right: Token, entity: EntityRule, key: string, rule: KeyRule): number | string {
  const { kind, text, at } = right;
  if (rule.value === 'number') {
    if (kind === 'number') return Number(text);
    const what = entity.name === ATTRIBUTE ? `numeric attribute: ${key}` : entity.name;
    throw atCharacter(`Expected numeric value type for ${what}. Found ${shown(text)}`, at);
  }
  if (kind === 'string') return unquoted(text);
  if (rule.value === 'either' && kind === 'number') return Number(text);
  if (kind === 'identifier') {
    const start = 'Parameter value is either not quoted or unidentified quote types used for string value';
    throw atCharacter(`${start} ${shown(text)}. Use either single or double quotes.`, at);
  }
  throw notQuoted(entity, text, at);
}

function notQuoted({ name }: EntityRule, text: string, at: number): Error {
  const what =
    name === ATTRIBUTE ? 'attributes' : name === 'dataset' ? 'dataset attributes' : `${name} (e.g. 'my-value')`;
  return atCharacter(`Expected a quoted string value for ${what}. Got value ${shown(text)}`, at);
}

function listOf(list: List, entity: EntityRule, key: string, rule: KeyRule, name: string): readonly string[] {
  if (rule.operators.includes('IN')) return listValues(list, entity.name === ATTRIBUTE && name === 'run_id');
  if (rule.value === 'number') {
    const what = entity.name === ATTRIBUTE ? `numeric attribute: ${key}` : entity.name;
    throw atCharacter(`Expected numeric value type for ${what}. Found ${shown(list.text)}`, list.at);
  }
  if (entity.name === ATTRIBUTE)
    throw atCharacter("Only the 'run_id' attribute supports comparison with a list of quoted string values.", list.at);
  throw notQuoted(entity, list.text, list.at);
}
