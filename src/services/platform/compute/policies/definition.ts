import { isObject, type Json, type JsonMembers, parseJson } from '../../../../kernel/values/index.ts';
import { errors } from '../../errors.ts';
import { CLUSTER_FIELDS } from '../clusters/fields.ts';

/** A rule of a policy: the accepted values of the attribute at its path. */
export interface PolicyRule {
  readonly type: 'fixed' | 'forbidden' | 'allowlist' | 'blocklist' | 'regex' | 'range' | 'unlimited';
  readonly value?: Json;
  readonly values?: readonly Json[];
  readonly pattern?: string;
  readonly minValue?: number;
  readonly maxValue?: number;
  readonly defaultValue?: Json;
  readonly isOptional?: boolean;
}

/** Rules by the path of their attribute. */
export type Definition = ReadonlyMap<string, PolicyRule>;

/** Paths that no attribute has: they are derived from the purpose of a cluster and from its cost. */
export const VIRTUAL_PATHS = ['cluster_type', 'dbus_per_hour'] as const;

const LONGEST_PATTERN = 1000;
/** Limited, since each part of a path can add a nesting level to a cluster. */
const LONGEST_PATH = 300;
const MOST_RULES = 1000;

const refuse = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason: `Invalid policy definition: ${reason}` });

/** Parses the JSON of a definition, or of the overrides of a family's definition. */
export function parseRules(text: string): JsonMembers {
  let parsed: unknown;
  try {
    parsed = parseJson(Buffer.from(text));
  } catch {
    throw refuse('it is not valid JSON.');
  }
  if (!isObject(parsed)) throw refuse('it must be a JSON object with a rule for each attribute path.');
  return parsed as JsonMembers;
}

/** The rules of a definition. Throws at the first invalid rule. */
export function readDefinition(text: string): Definition {
  const entries = Object.entries(parseRules(text));
  if (entries.length > MOST_RULES) throw refuse(`it has more than ${MOST_RULES} rules.`);
  return new Map(entries.map(([path, rule]) => [path, readRule(path, rule)]));
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';
const isScalar = (value: unknown): boolean => isText(value) || isNumber(value) || typeof value === 'boolean';

function readRule(path: string, rule: Json | undefined): PolicyRule {
  const at = `'${path.slice(0, 100)}'`;
  const root = path.split('.', 1)[0] as string;
  const isKnown = Object.hasOwn(CLUSTER_FIELDS, root) || VIRTUAL_PATHS.some((known) => known === path);
  if (!isKnown) throw refuse(`${at} is not an attribute of a cluster.`);
  if (path.length > LONGEST_PATH) throw refuse(`the path ${at} has more than ${LONGEST_PATH} characters.`);
  if (!isObject(rule)) throw refuse(`the rule of ${at} must be an object.`);
  const { type, value, values, pattern, minValue, maxValue, defaultValue, isOptional, hidden } = rule;
  for (const [name, flag] of Object.entries({ isOptional, hidden }))
    if (flag !== undefined && typeof flag !== 'boolean')
      throw refuse(`'${name}' in the rule of ${at} must be true or false.`);
  const common = {
    ...(defaultValue !== undefined && { defaultValue: defaultValue as Json }),
    ...(typeof isOptional === 'boolean' && { isOptional }),
  };
  switch (type) {
    case 'fixed':
      if (!isScalar(value)) throw refuse(`the rule of ${at} is fixed but has no value.`);
      return { type, value: value as Json };
    case 'forbidden':
    case 'unlimited':
      return { type, ...common };
    case 'allowlist':
    case 'blocklist':
      if (!Array.isArray(values) || values.length === 0 || !values.every(isScalar))
        throw refuse(`the rule of ${at} is a list but has no values.`);
      return { type, values, ...common };
    case 'regex':
      if (!isText(pattern) || pattern.length > LONGEST_PATTERN || !isPattern(pattern))
        throw refuse(`the pattern of ${at} is not a regular expression of at most ${LONGEST_PATTERN} characters.`);
      return { type, pattern, ...common };
    case 'range':
      if (!isNumber(minValue) && !isNumber(maxValue))
        throw refuse(`the range of ${at} has neither a minimum nor a maximum.`);
      if (isNumber(minValue) && isNumber(maxValue) && minValue > maxValue) throw refuse(`the range of ${at} is empty.`);
      return { type, ...common, ...(isNumber(minValue) && { minValue }), ...(isNumber(maxValue) && { maxValue }) };
    default:
      throw refuse(
        `the type of the rule of ${at} must be one of fixed, forbidden, allowlist, blocklist, regex, range, unlimited.`,
      );
  }
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern).source !== '';
  } catch {
    return false;
  }
}
