import { armFacts, type Resource, withPrefix } from '../../kernel/arm/index.ts';
import type { Json } from '../../kernel/store/index.ts';
import { isObject } from '../../kernel/values/index.ts';
import type { EventsCall } from './jar.ts';
import { EMPTY_SYSTEM_DATA_VERSIONS } from './versions.ts';

type Members = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/**
 * The answer to a PUT shows what was sent; defaults appear from the first GET on. `filled` lists the members that have defaults: those
 * missing from the body are left out of the answer.
 */
export function withoutDefaults(view: Members, sent: unknown, filled: readonly Path[]): Members {
  return filled.reduce((shown, path) => (isSent(sent, path) ? shown : without(shown, path)), view);
}

/** Turns texts such as `properties.filter.subjectBeginsWith` into paths of member names. */
export const pathsOf = (...paths: readonly string[]): readonly Path[] => paths.map((path) => path.split('.'));

function isSent(sent: unknown, [name, ...rest]: Path): boolean {
  if (name === undefined) return sent !== undefined && sent !== null;
  if (!isObject(sent)) return false;
  // Member names compare without regard to case, as in the body reader.
  return Object.entries(sent).some(([key, value]) => key.toLowerCase() === name.toLowerCase() && isSent(value, rest));
}

function without(value: Members, [name = '', ...rest]: Path): Members {
  const { [name]: member, ...others } = value;
  if (rest.length === 0) return others;
  return isObject(member) ? { ...value, [name]: without(member, rest) } : value;
}

/** `systemData` of an answer: null in answers to a PUT, and in every answer of an api-version that never fills it in. */
export function shownSystemData(call: Pick<EventsCall, 'facts'>, stored: Json | undefined, isPut = false): Json | null {
  if (isPut || stored === undefined) return null;
  return EMPTY_SYSTEM_DATA_VERSIONS.has(armFacts(call).apiVersion.toLowerCase()) ? null : stored;
}

interface Shown {
  readonly properties: Members;
  readonly systemData: Json | null | undefined;
  /** Answer to a PUT: the identities that were sent have not been looked up yet. */
  readonly isPut?: boolean;
}

/** A resource of a resource group, with its members in the order of the real service and null for missing values. */
export function trackedView(resource: Resource, prefix: string, shown: Shown): Record<string, unknown> {
  const { sku, identity, kind, extendedLocation } = resource.extra;
  return {
    properties: shown.properties,
    ...(sku !== undefined && { sku }),
    ...(identity !== undefined && { identity: identityView(identity, shown.isPut) }),
    ...(kind !== undefined && { kind }),
    ...(extendedLocation !== undefined && { extendedLocation }),
    systemData: shown.systemData ?? null,
    ...(resource.location !== undefined && { location: resource.location }),
    tags: Object.keys(resource.tags ?? {}).length === 0 ? null : resource.tags,
    id: withPrefix(resource.id, prefix),
    name: resource.name,
    type: withPrefix(resource.type, prefix),
  };
}

const NO_IDENTITY = { type: 'None', principalId: null, tenantId: null, userAssignedIdentities: null };
const NOT_LOOKED_UP = { principalId: null, clientId: null };

function identityView(identity: Json, isPut = false): Members {
  if (!isObject(identity)) return NO_IDENTITY;
  const { userAssignedIdentities: assigned } = identity;
  return {
    ...NO_IDENTITY,
    ...identity,
    ...(isPut &&
      isObject(assigned) && {
        userAssignedIdentities: Object.fromEntries(Object.keys(assigned).map((id) => [id, NOT_LOOKED_UP])),
      }),
  };
}
