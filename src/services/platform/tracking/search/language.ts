/**
 * The search language: `metrics.acc > 0.9 AND params."batch size" = '32'`, with `order_by` beside it. One parser serves every search; what
 * may be asked of which things is data, a `SearchLanguage` in `languages/`.
 *
 * How to use it:
 *
 *     const filter = parseFilter(body.filter, REGISTERED_MODELS);   // readonly Comparison[], all of which have to hold
 *     const order = parseOrder(body.order_by, REGISTERED_MODELS);   // readonly OrderKey[], without the default order
 *
 * Both throw 400 INVALID_PARAMETER_VALUE with the text of the real service and the position of the mistake. Comparisons name entities and keys
 * by their canonical names (`attribute`, `start_time`), whatever alias was written, and the type of `value` fits the operator: a comparison of a
 * key whose rule says `number` has a number, `IN` and `NOT IN` have a list, `IS NULL` and `IS NOT NULL` have nothing. `isLike` of the
 * store tests a text by a LIKE pattern.
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
  /** Canonical: `metric`, `parameter`, `tag`, `attribute`, `dataset` and those of traces. */
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
  /** The canonical name of a key that has several. */
  readonly name?: string;
  /** `either`: a number or a quoted text, as the author likes. */
  readonly value: 'number' | 'text' | 'either';
  readonly operators: readonly Operator[];
}

export interface EntityRule {
  /** Canonical. */
  readonly name: string;
  /** What may be written before the dot; compared exactly. */
  readonly words: readonly string[];
  /** The keys that there are, by what may be written; or the rule of any key. */
  readonly keys: Readonly<Record<string, KeyRule>> | KeyRule;
}

export interface SearchLanguage {
  readonly entities: readonly EntityRule[];
  /** Entities as the error names them that refuses another one. */
  readonly refusedEntity: (entity: string) => string;
  /** Keys of `attribute` that results can be ordered by, and what each stands for. */
  readonly orderAttributes: Readonly<Record<string, string>>;
  /** Further entities whose keys results can be ordered by. */
  readonly orderEntities: readonly string[];
  /** Logged models have texts of their own for what cannot be parsed and for operators that do not fit. */
  readonly wording?: 'logged-models';
  /** Lower-case operator words are refused. */
  readonly upperCaseWords?: true;
}

export const isKeyRule = (keys: EntityRule['keys']): keys is KeyRule => Array.isArray(keys.operators);

/** The entity of keys that stand without one. */
export const ATTRIBUTE = 'attribute';
