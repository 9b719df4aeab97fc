import { findMistake } from '../values/find-mistake.ts';
import { ApiError } from './errors.ts';
import type { ApiFamily } from './family.ts';
import type { Route } from './route.ts';

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
  /** False if a misspelt parameter would be dangerous, for example a filter of what to delete. Otherwise unknown parameters are ignored. */
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

/** Text that cannot be converted stays text, so that the schema reports the mistake. */
function fromText(value: unknown, type: string | undefined): unknown {
  if (type === 'array') return Array.isArray(value) ? value : [value];
  if (typeof value !== 'string') return value;
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (type === 'boolean' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return value;
}

const sentence = (reason: string): string => (reason.endsWith('.') ? reason : `${reason}.`);
