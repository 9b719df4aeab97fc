import type { Json } from '../../../../kernel/store/index.ts';
import { isObject, type JsonMembers } from '../../../../kernel/values/index.ts';
import { errors } from '../../errors.ts';

/** Rule for a member of the settings of a job, at any depth. Members without a rule are stored as they were sent. */
export interface Rule {
  readonly type: 'string' | 'integer' | 'boolean' | 'object' | 'array' | 'any';
  readonly required?: true;
  /** The only accepted texts. */
  readonly words?: readonly string[];
  /** Minimum value of a number, minimum length of a text or list, or minimum number of members of an object. */
  readonly least?: number;
  readonly most?: number;
  /** Maximum length of a text in bytes of UTF-8. */
  readonly mostBytes?: number;
  readonly pattern?: { readonly is: RegExp; readonly means: string };
  /** For an object: rules by member name. */
  readonly members?: Rules;
  /** For an object: rule for each member, whatever its name. */
  readonly values?: Rule;
  /** For a list: rule for each entry. */
  readonly items?: Rule;
}

export type Rules = Readonly<Record<string, Rule>>;

type Rest = Omit<Rule, 'type'>;

export const REQUIRED = { required: true } as const;
export const text = (rest: Rest = {}): Rule => ({ type: 'string', ...rest });
export const integer = (rest: Rest = {}): Rule => ({ type: 'integer', ...rest });
export const flag: Rule = { type: 'boolean' };
export const oneOf = (words: readonly string[], rest: Rest = {}): Rule => ({ type: 'string', words, ...rest });
export const object = (members: Rules = {}, rest: Rest = {}): Rule => ({ type: 'object', members, ...rest });
export const listOf = (items: Rule, rest: Rest = {}): Rule => ({ type: 'array', items, ...rest });
export const mapOf = (values: Rule, rest: Rest = {}): Rule => ({ type: 'object', values, ...rest });
export const texts = listOf(text());

/** Validates the members of an object by the rules. `null` counts as absent. Throws an error that names the path of the invalid member. */
export function readMembers(rules: Rules, sent: unknown, path = ''): JsonMembers {
  if (!isObject(sent))
    throw malformed(path === '' ? 'the body must be an object' : `the field '${path}' must be an object`);
  const found: Record<string, Json> = {};
  for (const [name, value] of Object.entries(sent)) {
    // Assigning a member named `__proto__` would replace the prototype, whose members would then be read without validation.
    if (value === null || value === undefined || name === '__proto__') continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    found[name] = rule ? readValue(rule, value, below(path, name)) : (value as Json);
  }
  for (const [name, { required }] of Object.entries(rules)) {
    if (required && found[name] === undefined)
      throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: below(path, name) });
  }
  return found;
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name.slice(0, 100)}`);

function readValue(rule: Rule, sent: unknown, path: string): Json {
  switch (rule.type) {
    case 'string':
      if (typeof sent !== 'string') throw malformed(`the field '${path}' must be a string`);
      return readText(rule, sent, path);
    case 'integer':
      return readInteger(rule, sent, path);
    case 'boolean':
      if (typeof sent !== 'boolean') throw malformed(`the field '${path}' must be a boolean`);
      return sent;
    case 'array':
      return readList(rule, sent, path);
    case 'object':
      return readObject(rule, sent, path);
    default:
      return sent as Json;
  }
}

function readText({ words, least, most, mostBytes, pattern }: Rule, sent: string, path: string): string {
  if (words && !words.includes(sent))
    throw invalid(`${path} must be one of: ${words.join(',')}; it is '${sent.slice(0, 100)}'.`);
  if (least !== undefined && sent.length < least) throw invalid(`${path} must have at least ${least} characters.`);
  if (most !== undefined && sent.length > most) throw invalid(`${path} must have at most ${most} characters.`);
  if (mostBytes !== undefined && Buffer.byteLength(sent) > mostBytes)
    throw invalid(`${path} must have at most ${mostBytes} bytes in UTF-8.`);
  if (pattern && !pattern.is.test(sent)) throw invalid(`${path} ${pattern.means}; it is '${sent.slice(0, 100)}'.`);
  return sent;
}

/** 64-bit numbers may be sent as text, as in the JSON of protocol buffers. */
function readInteger({ least, most }: Rule, sent: unknown, path: string): number {
  const value = typeof sent === 'string' && /^-?\d{1,16}$/.test(sent) ? Number(sent) : sent;
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw malformed(`the field '${path}' must be an integer`);
  if (least !== undefined && value < least) throw invalid(`${path} must be at least ${least}; it is ${value}.`);
  if (most !== undefined && value > most) throw invalid(`${path} must be at most ${most}; it is ${value}.`);
  return value;
}

function readList({ items, least, most }: Rule, sent: unknown, path: string): Json {
  if (!Array.isArray(sent)) throw malformed(`the field '${path}' must be an array`);
  if (least !== undefined && sent.length < least) throw invalid(`${path} must have at least ${least} entries.`);
  if (most !== undefined && sent.length > most)
    throw invalid(`${path} must have at most ${most} entries; it has ${sent.length}.`);
  return sent.map((item: unknown, index) => (items ? readValue(items, item, `${path}[${index}]`) : (item as Json)));
}

function readObject({ members, values, least, most }: Rule, sent: unknown, path: string): Json {
  const found = readMembers(members ?? {}, sent, path);
  const names = Object.keys(found);
  if (least !== undefined && names.length < least) throw invalid(`${path} must have at least ${least} members.`);
  if (most !== undefined && names.length > most)
    throw invalid(`${path} must have at most ${most} members; it has ${names.length}.`);
  if (!values) return found;
  return Object.fromEntries(names.map((name) => [name, readValue(values, found[name], below(path, name))]));
}

export const malformed = (reason: string) =>
  errors.MALFORMED_REQUEST({ reason: `Could not parse request object: ${reason}.` });

export const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });
