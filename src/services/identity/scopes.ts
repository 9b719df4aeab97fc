import { type Application, isOwnOrigin, normalAudience } from '../../kernel/auth/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import type { Wanted } from './collections.ts';
import { identityErrors } from './errors.ts';
import type { Authority } from './tenants.ts';

/** The audience and permissions of a token. */
export interface Target {
  readonly audience: string;
  /** Delegated permissions of the token. */
  readonly scopes: readonly string[];
  /** The `scope` of the answer. */
  readonly granted: string;
  readonly openid: boolean;
  readonly offline: boolean;
}

export interface Asking {
  readonly call: Call;
  readonly client: Application;
  readonly authority: Authority;
}

const PERSONAL = new Set(['openid', 'profile', 'email', 'offline_access']);
const DEFAULT = '.default';

/** The only permission at the v1 endpoints, and the meaning of `.default`. */
const FULL = 'user_impersonation';

/** RFC 6749 3.3: visible ASCII characters except the quote and the backslash. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

export function userTarget(asking: Asking, wanted: Wanted): Target {
  return wanted.version === '1.0' ? targetOfResource(asking, wanted) : targetOfScopes(asking, wanted.scope);
}

/** Client credentials: the v2 endpoint accepts only the `.default` scope, which is everything that was granted. */
export function applicationTarget(asking: Asking, wanted: Wanted): Target {
  if (wanted.version === '1.0') return { ...targetOfResource(asking, wanted), scopes: [] };
  const scope = wanted.scope?.trim();
  if (!scope) throw identityErrors.MissingParameter({ name: 'scope' });
  if (!scope.endsWith(`/${DEFAULT}`) || /\s/.test(scope)) throw identityErrors.DefaultScopeNeeded({ scope });
  return { ...targetOfScopes(asking, scope), scopes: [] };
}

/** The v1 endpoints use the resource; a scope decides only whether an id token is issued. */
function targetOfResource(asking: Asking, { resource, scope = '' }: Wanted): Target {
  const audience = resource ? checkResource(asking, resource) : defaultAudience(asking.call);
  return { audience, scopes: [FULL], granted: FULL, openid: scope.split(/\s+/).includes('openid'), offline: true };
}

function targetOfScopes(asking: Asking, text: string | undefined): Target {
  const names = [...new Set((text ?? '').split(/\s+/).filter(Boolean))];
  if (names.length === 0) throw identityErrors.MissingParameter({ name: 'scope' });
  for (const name of names) {
    if (!SCOPE_TOKEN.test(name))
      throw identityErrors.InvalidScope({ reason: `'${name}' contains characters that are not allowed in a scope.` });
  }
  const personal = names.filter((name) => PERSONAL.has(name));
  const permissions = names.filter((name) => !PERSONAL.has(name)).map(splitScope);
  const resources = new Map(
    permissions.map(({ resource }) => [resource === undefined ? undefined : normalAudience(resource), resource]),
  );
  if (resources.size > 1) throw identityErrors.SeveralResources({ scope: names.join(' ') });
  const [resource] = resources.values();
  const told = personal.filter((name) => name !== 'offline_access');
  const granted = permissions.flatMap(({ permission }) => {
    const qualified = (name: string): string => (resource === undefined ? name : `${resource}/${name}`);
    return permission === DEFAULT ? [qualified(FULL), qualified(DEFAULT)] : [qualified(permission)];
  });
  const scopes = permissions.map(({ permission }) => (permission === DEFAULT ? FULL : permission));
  return {
    audience: resource === undefined ? defaultAudience(asking.call) : checkResource(asking, resource),
    scopes: scopes.length > 0 ? [...new Set(scopes)] : told,
    granted: [...new Set([...told, ...granted])].join(' '),
    openid: personal.includes('openid'),
    offline: personal.includes('offline_access'),
  };
}

/**
 * `https://api.example/read` is the permission `read` of `https://api.example`; a permission without a slash belongs to the default
 * audience.
 */
function splitScope(name: string): { resource: string | undefined; permission: string } {
  const slash = name.lastIndexOf('/');
  if (slash < 0) return { resource: undefined, permission: name };
  const permission = name.slice(slash + 1);
  if (permission === '') throw identityErrors.InvalidScope({ reason: `'${name}' names a resource but no permission.` });
  return { resource: name.slice(0, slash), permission };
}

function checkResource({ call, client, authority }: Asking, resource: string): string {
  const known =
    call.jar.audiences.has(normalAudience(resource)) ||
    isOwnOrigin(resource, call.origin, call.jar) ||
    resource.toLowerCase() === client.id.toLowerCase();
  if (!known)
    throw identityErrors.ResourceNotFound({ resource, tenant: authority.tenant?.displayName ?? authority.segment });
  return resource;
}

/** The management API: its service is the first in the list, so its audience comes first. */
function defaultAudience(call: Call): string {
  const [first] = call.jar.audiences;
  return first ?? call.origin;
}
