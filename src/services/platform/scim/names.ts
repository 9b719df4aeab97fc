import type { Tx } from '../../../kernel/store/index.ts';
import type { Principal } from '../accounts/collections.ts';
import { byLogin } from '../accounts/principals.ts';
import { taken } from './errors.ts';
import type { ScimPlace } from './place.ts';

/** Names of the implicit groups. Reserved, so that an ACL with such a name is unambiguous. */
const SYSTEM_NAMES: ReadonlySet<string> = new Set(['admins', 'users', 'account users']);

/** The principal that has a name in a place. Throws if the name is that of a system group. */
export async function named(
  tx: Tx,
  place: ScimPlace,
  name: string,
  workspaceId: string | undefined,
): Promise<Principal | undefined> {
  const { account, kind } = place;
  if (kind === 'group' && SYSTEM_NAMES.has(name.toLowerCase())) throw nameTaken(place, name);
  return byLogin(tx, account.id, kind, name, workspaceId);
}

/** The exact message of the platform: Terraform's provider compares it before it adopts an existing resource. */
export function nameTaken({ kind, workspace }: ScimPlace, name: string): Error {
  if (kind === 'group') return taken(`Group with name ${name} already exists.`);
  if (kind === 'servicePrincipal') return taken(`Service principal with application ID ${name} already exists.`);
  return taken(
    workspace ? `User with username ${name} already exists.` : `User with email ${name} already exists in this account`,
  );
}
