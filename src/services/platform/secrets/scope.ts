import type { Reader } from '../../../kernel/store/index.ts';
import { type CallerIdentity, isAdminOf, nameOf } from '../access/standing.ts';
import type { Workspace } from '../accounts/collections.ts';
import { errors } from '../errors.ts';
import { PERMISSIONS, type SecretPermission, type SecretScope, scopeKey, secretScopes } from './collections.ts';

/** Lookup of scopes by name, with the permission that an operation needs. */

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** Validates the name of a scope or a key. */
export function checkName(what: 'scope' | 'key', name: string): string {
  if (NAME.test(name)) return name;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `The ${what} name must be 1 to 128 letters, digits, dashes, underscores and periods, not '${name.slice(0, 140)}'.`,
  });
}

/** The caller and its workspace. */
export interface Caller {
  readonly workspace: Workspace;
  readonly standing: CallerIdentity;
}

/** Administrators of the workspace manage every scope. */
export function isPermitted({ acl }: SecretScope, { workspace, standing }: Caller, least: SecretPermission): boolean {
  if (isAdminOf(standing, workspace)) return true;
  const held = new Set(standing.ids);
  const rank = PERMISSIONS.indexOf(least);
  return acl.some(({ principal, permission }) => held.has(principal) && PERMISSIONS.indexOf(permission) >= rank);
}

export async function findScope(
  reader: Pick<Reader, 'get'>,
  caller: Caller,
  name: string,
  least: SecretPermission,
): Promise<SecretScope> {
  const found = (await reader.get(secretScopes, scopeKey(caller.workspace.id, name)))?.value;
  if (!found) throw errors.RESOURCE_DOES_NOT_EXIST({ reason: `Scope ${name.slice(0, 140)} does not exist!` });
  if (isPermitted(found, caller, least)) return found;
  const user = nameOf(caller.standing.principal);
  throw errors.PERMISSION_DENIED({
    reason: `User ${user} does not have ${least} permission on the secret scope ${found.name}.`,
  });
}

/** Values of a scope that is backed by a key vault are in the vault, which this service does not access. */
export function requireOwnBackend({ name, keyVault }: SecretScope): void {
  if (!keyVault) return;
  throw errors.INVALID_STATE({
    reason: `The scope ${name} is backed by the key vault ${keyVault.dnsName}: it is kept as a record, and its secrets can neither be read nor changed here.`,
  });
}
