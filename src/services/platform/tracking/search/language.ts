/**
 * The search language: `metrics.acc > 0.9 AND params."batch size" = '32'`, with a separate `order_by`. One parser serves every search; a
 * `SearchLanguage` in `languages/` defines the accepted entities, keys and operators of each.
 *
 * How to use it:
 *
 *     const filter = parseFilter(body.filter, REGISTERED_MODELS);   // readonly Comparison[], all of which have to hold
 *     const order = parseOrder(body.order_by, REGISTERED_MODELS);   // readonly OrderKey[], without the default order
 *
 * Both throw 400 INVALID_PARAMETER_VALUE with the message of the real service and the position of the mistake. Comparisons contain
 * canonical names of entities and keys (`attribute`, `start_time`), also for aliases, and the type of `value` fits the operator: a
 * comparison of a key whose rule says `number` has a number, `IN` and `NOT IN` have a list, `IS NULL` and `IS NOT NULL` have no value.
 * `isLike` of the store matches a text against a LIKE pattern.
 */

export type Operator =
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'LIKE'
  | 'ILIKE'
  | 'RLIKE'
  | 'IN'
  | 'NOT IN'
  | 'IS NULL'
  | 'IS NOT NULL';

export const NUMERIC: readonly Operator[] = ['=', '!=', '<', '<=', '>', '>='];
export const TEXTUAL: readonly Operator[] = ['=', '!=', 'LIKE', 'ILIKE'];
export const LISTED: readonly Operator[] = ['IN', 'NOT IN'];
export const ABSENCE: readonly Operator[] = ['IS NULL', 'IS NOT NULL'];

export interface Comparison {
  /** Canonical: `metric`, `parameter`, `tag`, `attribute`, `dataset` and the entities of traces. */
  readonly entity: string;
  readonly key: string;
  readonly operator: Operator;
  readonly value: number | string | readonly string[] | undefined;
  /** Index of its first character in the filter. */
  readonly at: number;
}

export interface OrderKey {
  readonly entity: string;
  readonly key: string;
  readonly descending: boolean;
}

export interface KeyRule {
  /** The canonical name of a key with aliases. */
  readonly name?: string;
  /** `either`: both a number and a quoted text are accepted. */
  readonly value: 'number' | 'text' | 'either';
  readonly operators: readonly Operator[];
}

export interface EntityRule {
  /** Canonical. */
  readonly name: string;
  /** Accepted words before the dot; compared exactly. */
  readonly words: readonly string[];
  /** The known keys, by accepted word; or one rule for any key. */
  readonly keys: Readonly<Record<string, KeyRule>> | KeyRule;
}

export interface SearchLanguage {
  readonly entities: readonly EntityRule[];
  /** The error message for an unknown entity, which lists the known ones. */
  readonly refusedEntity: (entity: string) => string;
  /** Accepted keys of `attribute` for `order_by`, with their canonical names. */
  readonly orderAttributes: Readonly<Record<string, string>>;
  /** Further entities whose keys `order_by` accepts. */
  readonly orderEntities: readonly string[];
  /** Logged models have separate messages for unparsable text and for operators that do not fit. */
  readonly wording?: 'logged-models';
  /** Refuses lower-case operator words. */
  readonly upperCaseWords?: true;
}

export const isKeyRule = (keys: EntityRule['keys']): keys is KeyRule => Array.isArray(keys.operators);

/** The entity of keys without an entity. */
export const ATTRIBUTE = 'attribute';
