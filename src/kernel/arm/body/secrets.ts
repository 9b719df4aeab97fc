import type { Json } from '../../store/types.ts';
import { isObject } from '../../values/objects.ts';
import type { AnyField, Field } from './field.ts';

/** A secret and its path in the body. */
export interface Secret {
  readonly path: readonly (string | number)[];
  readonly value: Json;
}

export interface WithoutSecrets<Draft> {
  /** The part that may be stored and returned. A map of secrets is shown empty, so that clients see that it exists. */
  readonly shown: Draft;
  /** Values that must be encrypted. */
  readonly secrets: readonly Secret[];
}

/** Separates the secrets from the rest of a body. */
export function takeSecrets<Draft>(field: Field<unknown, Draft, never>, draft: Draft): WithoutSecrets<Draft> {
  const secrets: Secret[] = [];
  // A draft may lack any member, so it remains a draft without its secrets.
  return { shown: hidden(field, draft, [], secrets) as Draft, secrets };
}

function hidden({ shape }: AnyField, value: unknown, path: Secret['path'], secrets: Secret[]): unknown {
  if (shape.kind === 'list' && Array.isArray(value))
    return value.map((entry, index) => hidden(shape.entry, entry, [...path, index], secrets));
  if (!isObject(value) || shape.kind === 'leaf' || shape.kind === 'text' || shape.kind === 'list') return value;
  const fieldOf = shape.kind === 'object' ? shape.members(value) : undefined;
  const kept = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const field = fieldOf ? fieldOf[name] : shape.kind === 'map' ? shape.entry : undefined;
    const at = [...path, name];
    if (!field) return [[name, member]];
    if (!field.options.secret) return [[name, hidden(field, member, at, secrets)]];
    secrets.push({ path: at, value: member as Json });
    return field.shape.kind === 'map' ? [[name, {}]] : [];
  });
  return Object.fromEntries(kept);
}

/** Puts the secrets back into the body. */
export function putSecrets<Draft>(shown: Draft, secrets: readonly Secret[]): Draft {
  const whole = structuredClone(shown);
  for (const { path, value } of secrets) put(whole, path, value);
  return whole;
}

function put(whole: unknown, path: Secret['path'], value: Json): void {
  let at: unknown = whole;
  for (const key of path.slice(0, -1)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return;
    at = Reflect.get(at, key);
  }
  const name = path.at(-1);
  if (typeof at !== 'object' || at === null || name === undefined) return;
  Object.defineProperty(at, name, { value, writable: true, enumerable: true, configurable: true });
}

/** A parsed body as JSON. */
export function asJson(draft: object): { [name: string]: Json } {
  // Fields produce only JSON, but the type system knows this only of each member, not of the whole object.
  return draft as { [name: string]: Json };
}
