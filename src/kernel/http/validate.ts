import type { TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import { ApiError } from './errors.ts';
import type { ApiFamily } from './family.ts';
import type { Route } from './route.ts';

/**
 * Schemas are compiled when a route is first used: compiling all of them at start would cost more than the rest of the start.
 * The compiler itself is loaded with the first one.
 */
const compiled = new WeakMap<TSchema, Validator>();

async function validatorOf(schema: TSchema): Promise<Validator> {
  let validator = compiled.get(schema);
  if (!validator) {
    const { Compile } = await import('typebox/compile');
    validator = Compile(schema) as unknown as Validator;
    compiled.set(schema, validator);
  }
  return validator;
}

/** A longer list of words is no help in a sentence. */
const MOST_NAMED = 12;

/** The first mistake in `value`, as the name of the field and what is wrong with it. */
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
  // An object that takes no other properties says so for each of them by the schema `false`.
  if (error.keyword === 'boolean') return { field, reason: 'is not known here' };
  const errors = all.filter(({ instancePath }) => instancePath === error.instancePath);
  return { field, reason: expectedValues(errors) ?? expectedTypes(errors) ?? error.message };
}

/** `containers[0].name`: the path of a field as people write it. */
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

/** Names what may stand there, where that is a list of words. */
function expectedValues(errors: ReturnType<Validator['Errors']>): string | undefined {
  const values = errors.flatMap((error) => {
    if (error.keyword === 'enum') return error.params.allowedValues;
    return error.keyword === 'const' ? [error.params.allowedValue] : [];
  });
  if (values.length === 0 || values.length > MOST_NAMED) return undefined;
  return `must be ${[...values.map((value) => JSON.stringify(value)), ...typesIn(errors)].join(' or ')}`;
}

/** Of a choice of types each is reported on its own; the reader wants to hear all of them. */
function expectedTypes(errors: ReturnType<Validator['Errors']>): string | undefined {
  const types = typesIn(errors);
  return types.length > 0 ? `must be ${types.join(' or ')}` : undefined;
}

/** Each once, though all parts of an intersection ask for an object. */
const typesIn = (errors: ReturnType<Validator['Errors']>): string[] => [
  ...new Set(errors.flatMap((error) => (error.keyword === 'type' ? [error.params.type].flat() : []))),
];

export async function checkBody(route: Route, family: ApiFamily, body: unknown): Promise<void> {
  if (!route.body) return;
  if (body === undefined) {
    if (route.bodyOptional) return;
    throw new ApiError(400, family.codes.invalidBody, 'The request has no body, and this operation needs one.');
  }
  const mistake = await findMistake(route.body, body);
  if (!mistake) return;
  const subject = mistake.field === '' ? 'The request body' : `The property '${mistake.field}' of the request body`;
  throw new ApiError(400, family.codes.invalidBody, `${subject} ${sentence(mistake.reason)}`, {
    target: mistake.field || undefined,
  });
}

export async function readQuery(
  route: Route,
  family: ApiFamily,
  sent: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  if (!route.query) return sent;
  const { properties = {}, additionalProperties } = route.query as QuerySchema;
  const query: Record<string, unknown> = {};
  for (const name in sent) {
    const declared = name in properties ? name : nameIgnoringCase(properties, name);
    if (declared === undefined) {
      if (additionalProperties === false) throw unknownParameter(family, name, Object.keys(properties));
      continue;
    }
    const value = sent[name];
    if (Array.isArray(value) && properties[declared]?.type !== 'array') {
      throw new ApiError(400, family.codes.invalidQuery, `The query parameter '${name}' is given more than once.`, {
        target: name,
      });
    }
    query[declared] = fromText(value, properties[declared]?.type);
  }
  const mistake = await findMistake(route.query, query);
  if (!mistake) return query;
  const reason = sentence(mistake.reason);
  throw new ApiError(400, family.codes.invalidQuery, `The query parameter '${mistake.field}' ${reason}`, {
    target: mistake.field,
  });
}

interface QuerySchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
  /** False where a misspelt parameter would do harm, such as a filter of what to delete. Elsewhere unknown ones are let pass. */
  readonly additionalProperties?: boolean;
}

function unknownParameter(family: ApiFamily, name: string, known: readonly string[]): ApiError {
  const message = `The query parameter '${name.slice(0, 60)}' is not known here; there are ${known.join(', ')}.`;
  return new ApiError(400, family.codes.invalidQuery, message, { target: name.slice(0, 60) });
}

function nameIgnoringCase(properties: object, name: string): string | undefined {
  const lower = name.toLowerCase();
  return Object.keys(properties).find((key) => key.toLowerCase() === lower);
}

/** Text that does not read as its type stays text, so that the schema names the mistake. */
function fromText(value: unknown, type: string | undefined): unknown {
  if (type === 'array') return Array.isArray(value) ? value : [value];
  if (typeof value !== 'string') return value;
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (type === 'boolean' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return value;
}

const sentence = (reason: string): string => (reason.endsWith('.') ? reason : `${reason}.`);
