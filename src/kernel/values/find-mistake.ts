import type { TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';

/**
 * Schemas are compiled when a route is first used: compiling all of them at start would take longer than the rest of the start. The
 * compiler itself is loaded with the first schema.
 */
const compiled = new WeakMap<TSchema, Checker>();

/** A validator of any schema. */
interface Checker {
  Check(value: unknown): boolean;
  Errors: Validator['Errors'];
}

async function validatorOf(schema: TSchema): Promise<Checker> {
  let validator = compiled.get(schema);
  if (!validator) {
    const { Compile } = await import('typebox/compile');
    validator = Compile(schema);
    compiled.set(schema, validator);
  }
  return validator;
}

/** Longer lists of values are not shown in a message. */
const MOST_NAMED = 12;

/** Returns the first mistake in `value`: the name of the field and the reason. */
export async function findMistake(
  schema: TSchema,
  value: unknown,
): Promise<{ field: string; reason: string } | undefined> {
  const validator = compiled.get(schema) ?? (await validatorOf(schema));
  if (validator.Check(value)) return undefined;
  const all = validator.Errors(value);
  const [error] = all;
  if (!error) return { field: '', reason: 'is not valid' };
  const missing =
    error.keyword === 'required'
      ? (error.params as { requiredProperties?: string[] }).requiredProperties?.[0]
      : undefined;
  const pointer = error.instancePath.split('/').slice(1).map(unescapePointer);
  const field = fieldName([...pointer, ...(missing === undefined ? [] : [missing])], value);
  if (missing !== undefined) return { field, reason: 'is required' };
  // If an object accepts no other properties, the validator reports each of them as a violation of the schema `false`.
  if (error.keyword === 'boolean') return { field, reason: 'is not known here' };
  const errors = all.filter(({ instancePath }) => instancePath === error.instancePath);
  return { field, reason: expectedValues(errors) ?? brokenBound(errors) ?? expectedTypes(errors) ?? error.message };
}

/** `containers[0].name`: the path of a field in readable form. */
function fieldName(segments: readonly string[], value: unknown): string {
  let name = '';
  let at = value;
  for (const segment of segments) {
    if (Array.isArray(at)) name += `[${segment}]`;
    else name += name === '' ? segment : `.${segment}`;
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[segment] : undefined;
  }
  return name;
}

const unescapePointer = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/** Lists the accepted values if there is a fixed set of them. */
function expectedValues(errors: ReturnType<Validator['Errors']>): string | undefined {
  const values = errors.flatMap((error) => {
    if (error.keyword === 'enum') return error.params.allowedValues;
    return error.keyword === 'const' ? [error.params.allowedValue] : [];
  });
  if (values.length === 0 || values.length > MOST_NAMED) return undefined;
  return `must be ${[...values.map((value) => JSON.stringify(value)), ...typesIn(errors)].join(' or ')}`;
}

/** For a value that is either null or within bounds, reports only the violated bound, not that null is accepted too. */
function brokenBound(errors: ReturnType<Validator['Errors']>): string | undefined {
  if (typesIn(errors).join() !== 'null') return undefined;
  return errors.find(({ keyword }) => !CHOICES.has(keyword))?.message;
}

const CHOICES: ReadonlySet<string> = new Set(['type', 'const', 'enum', 'anyOf', 'oneOf']);

/** In a union, each type is reported separately; the message lists all of them. */
function expectedTypes(errors: ReturnType<Validator['Errors']>): string | undefined {
  const types = typesIn(errors);
  return types.length > 0 ? `must be ${types.join(' or ')}` : undefined;
}

/** Without duplicates: all parts of an intersection require an object. */
const typesIn = (errors: ReturnType<Validator['Errors']>): string[] => [
  ...new Set(errors.flatMap((error) => (error.keyword === 'type' ? [error.params.type].flat() : []))),
];
