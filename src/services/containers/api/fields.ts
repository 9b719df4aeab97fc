import { type Static, type TSchema, Type } from 'typebox';

/**
 * Schemas of what clients send. They hold types only: a field that is missing or null, a word that is not one of its list and the
 * like are mistakes of their own codes, told by the rules in `validate/`.
 */

type Schema = TSchema & { readonly type?: string | readonly string[] };

/** A field that may be left out or be null, which means the same. */
export const may = <T extends TSchema>(schema: T): ReturnType<typeof Type.Optional<T>> =>
  Type.Optional({ ...schema, type: [(schema as Schema).type, 'null'] } as unknown as T);

/** A text that has to be one of some words, in any case. */
export interface WordSchema {
  readonly words: readonly string[];
  /** Kept as it was sent, where clients are known to compare it that way. */
  readonly asSent?: boolean;
}

export const word = <const Words extends readonly string[]>(words: Words, asSent = false) =>
  may(Type.Unsafe<Words[number]>({ type: 'string', description: words.join(', '), words, asSent } as TSchema));

const INT32 = 2 ** 31;

export const text = () => may(Type.String());
export const texts = () => may(Type.Array(Type.String()));
export const flag = () => may(Type.Boolean());
export const decimal = () => may(Type.Number());
export const int32 = () => may(Type.Integer({ minimum: -INT32, maximum: INT32 - 1 }));
export const textMap = () => may(Type.Record(Type.String(), Type.String()));
/** Any JSON object, which is passed on as it is. */
export const anything = () => may(Type.Unsafe<Record<string, unknown>>(Type.Object({})));

/**
 * What a client means by a body that its schema has let pass: unknown members, read-only ones and nulls are gone, words have the
 * case of their list.
 */
export function bind<T extends TSchema>(schema: T, value: unknown): Static<T> {
  return bound(schema as unknown as BindSchema, value) as Static<T>;
}

/**
 * A body whose members have the case of the schema; the same one where they have it already. The real service reads names in
 * any case, and its own samples write `memoryInGb`.
 */
export function withDeclaredNames(schema: TSchema, value: unknown): unknown {
  return renamed(schema as unknown as BindSchema, value);
}

function renamed(schema: BindSchema, value: unknown): unknown {
  if (schema.items && Array.isArray(value)) {
    const items = value.map((each) => renamed(schema.items as BindSchema, each));
    return items.every((each, index) => each === value[index]) ? value : items;
  }
  const members = schema.properties;
  if (!members || Object.keys(members).length === 0 || !isObject(value)) return value;
  let changed = false;
  const entries = Object.entries(value).map(([given, member]): [string, unknown] => {
    const name = Object.hasOwn(members, given) ? given : nameIn(members, given, value);
    const inside = name === undefined ? member : renamed(members[name] as BindSchema, member);
    changed ||= inside !== member || (name !== undefined && name !== given);
    return [name ?? given, inside];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** The declared name that is meant, unless it is there as well. */
function nameIn(members: object, given: string, value: object): string | undefined {
  const lower = given.toLowerCase();
  const name = Object.keys(members).find((each) => each.toLowerCase() === lower);
  return name !== undefined && !Object.hasOwn(value, name) ? name : undefined;
}

interface BindSchema extends Partial<WordSchema> {
  readonly properties?: Readonly<Record<string, BindSchema>>;
  readonly items?: BindSchema;
}

function bound(schema: BindSchema, value: unknown): unknown {
  if (schema.words && typeof value === 'string') {
    if (schema.asSent) return value;
    return findWord(schema.words, value) ?? value;
  }
  if (schema.items && Array.isArray(value)) return value.map((each) => bound(schema.items as BindSchema, each));
  if (!schema.properties || Object.keys(schema.properties).length === 0 || !isObject(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(schema.properties)) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given !== undefined && given !== null) kept[name] = bound(member, given);
  }
  return kept;
}

/** The word of a list that is meant, whatever its case and blanks. */
export const findWord = <Word extends string>(words: readonly Word[], given: string): Word | undefined =>
  words.find((each) => folded(each) === folded(given));

const folded = (word: string): string => word.replaceAll(' ', '').toLowerCase();

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
