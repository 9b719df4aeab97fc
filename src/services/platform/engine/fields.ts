import type { Json } from '../../../kernel/store/index.ts';
import { isList, type JsonMembers } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';

/** The accepted values of a field. */
export interface FieldRule {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'any';
  readonly required?: true;
  /** The accepted texts. */
  readonly words?: readonly string[];
  /** Minimum of a number, minimum length of a text or list. */
  readonly least?: number;
  readonly most?: number;
  /** Used if a new object lacks the field. */
  readonly default?: Json;
  /** Immutable after creation. */
  readonly fixed?: true;
  /** Only in answers; ignored in requests. */
  readonly readOnly?: true;
  /** For an object: the rules of its members. Without rules, any members are accepted. */
  readonly members?: FieldRules;
  /** For an array: the rule of its items. */
  readonly items?: FieldRule;
}

export type FieldRules = Readonly<Record<string, FieldRule>>;

const TYPES: Readonly<Record<FieldRule['type'], (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  any: () => true,
};

/**
 * Validates the declared fields of a request by their rules. Unknown fields are ignored, and `null` counts as absent. Messages prefix field
 * names with `at`.
 */
export function readFields(rules: FieldRules, sent: unknown, at = ''): JsonMembers {
  if (!TYPES.object(sent))
    throw malformed(at === '' ? 'the body must be an object' : `the field '${at.slice(0, -1)}' must be an object`);
  const found: Record<string, Json> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const value = Object.hasOwn(sent as object, name) ? (sent as JsonMembers)[name] : undefined;
    if (rule.readOnly || value === undefined || value === null) continue;
    found[name] = checked(at + name, rule, value);
  }
  return found;
}

/** The fields of a new object: checks that required fields are present, and adds defaults. */
export function completeFields(rules: FieldRules, said: JsonMembers, at = ''): JsonMembers {
  const all: Record<string, Json | undefined> = { ...said };
  for (const [name, { required, default: usual }] of Object.entries(rules)) {
    if (all[name] !== undefined) continue;
    if (required) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: at + name });
    if (usual !== undefined) all[name] = usual;
  }
  return all;
}

/** Throws if a change gives an immutable field another value. */
export function checkFixed(rules: FieldRules, before: JsonMembers, said: JsonMembers): void {
  for (const [name, { fixed }] of Object.entries(rules)) {
    if (!fixed || said[name] === undefined || JSON.stringify(said[name]) === JSON.stringify(before[name])) continue;
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The field '${name}' cannot be changed.` });
  }
}

/** The immutable fields, which a replacement need not repeat. */
export const fixedOf = (rules: FieldRules, before: JsonMembers): JsonMembers =>
  Object.fromEntries(Object.entries(before).filter(([name]) => rules[name]?.fixed));

function checked(name: string, rule: FieldRule, sent: Json): Json {
  const value = fromText(rule, sent);
  const { type, words, least, most } = rule;
  if (!TYPES[type](value)) throw malformed(`the field '${name}' must be ${article(type)}`);
  if (words && !words.includes(value as string)) {
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The field '${name}' must be one of ${words.join(', ')}, not '${String(value).slice(0, 100)}'.`,
    });
  }
  const size = typeof value === 'number' ? value : typeof value === 'string' || Array.isArray(value) ? value.length : 0;
  const unit = typeof value === 'string' ? ' characters' : Array.isArray(value) ? ' items' : '';
  if (least !== undefined && size < least)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The field '${name}' must be at least ${least}${unit}.` });
  if (most !== undefined && size > most)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The field '${name}' must be at most ${most}${unit}.` });
  return within(name, rule, value);
}

/** Validates the content of an object or an array. */
function within(name: string, { members, items }: FieldRule, value: Json): Json {
  if (members) return completeFields(members, readFields(members, value, `${name}.`), `${name}.`);
  if (items && isList(value)) return value.map((each, index) => checked(`${name}[${index}]`, items, each));
  return value;
}

/** Numbers may be sent as text, as the JSON of protocol buffers does for 64-bit numbers. */
function fromText({ type }: FieldRule, value: Json): Json {
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
}

const article = (type: string): string => (/^[aio]/.test(type) ? `an ${type}` : `a ${type}`);

const malformed = (reason: string) =>
  errors.MALFORMED_REQUEST({ reason: `Could not parse request object: ${reason}.` });
