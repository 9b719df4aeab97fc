import type { Json } from '../../store/types.ts';
import { isObject } from '../../values/objects.ts';
import type { AnyField, Field } from './field.ts';

/** A secret, and where in the body it was. */
export interface Secret {
  readonly path: readonly (string | number)[];
  readonly value: Json;
}

export interface WithoutSecrets<Draft> {
  /** What may be stored and shown. A map of secrets is shown empty, so that clients see that it is there. */
  readonly shown: Draft;
  /** What has to be sealed. */
  readonly secrets: readonly Secret[];
}

/** Takes apart what may be shown of a body and what may not. */
export function takeSecrets<Draft>(field: Field<unknown, Draft, never>, draft: Draft): WithoutSecrets<Draft> {
  const secrets: Secret[] = [];
  // The draft of an object may lack any member, so that it is still one without those that are secret.
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

/** The body with its secrets back in their places. */
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

/** What was read of a body, as the JSON that it is. */
export function asJson(draft: object): { [name: string]: Json } {
  // Fields make nothing but JSON; their types say so of each member, but not of the object as a whole.
  return draft as { [name: string]: Json };
}
