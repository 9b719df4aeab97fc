import { errorTable } from '../../../kernel/http/index.ts';
import type { Reader } from '../../../kernel/store/index.ts';
import type { Principal, PrincipalKind, Workspace } from '../accounts/collections.ts';
import { byLogin } from '../accounts/principals.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import { Visibility } from '../scim/found.ts';
import type { AclEntry } from './acl.ts';
import { levelsOf, type ObjectType, rankOf, typeRow } from './levels.ts';

export const principalErrors = errorTable({ PRINCIPAL_DOES_NOT_EXIST: [404, 'Principal {name} does not exist.'] });

/** The member of an entry that names its principal, by kind. */
const NAMES: Readonly<Record<string, PrincipalKind>> = {
  user_name: 'user',
  group_name: 'group',
  service_principal_name: 'servicePrincipal',
};

/** More than any object has; each costs a lookup of its principal. */
const MOST_ENTRIES = 1000;

const MEMBER = 'access_control_list';

/** The entries in a body, one per principal: of several, the highest level. */
export async function readEntries(
  reader: Reader,
  workspace: Workspace,
  { type, id: objectId }: { readonly type: ObjectType; readonly id: string },
  body: unknown,
): Promise<readonly AclEntry[]> {
  const list = new Sent(body).list(MEMBER) ?? [];
  if (list.length > MOST_ENTRIES)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The field '${MEMBER}' must have at most ${MOST_ENTRIES} entries.`,
    });
  const asked = list.map((each) => askedIn(each, type, objectId));
  const visibility = new Visibility(reader, { workspace });
  const entries = new Map<string, AclEntry>();
  for (const { kind, name, level } of asked) {
    const { id } = await principalNamed(reader, workspace, visibility, kind, name);
    const known = entries.get(id);
    if (!known || rankOf(type, known.level) < rankOf(type, level) || level === 'IS_OWNER')
      entries.set(id, { kind, principal: id, level });
  }
  return [...entries.values()];
}

interface AskedEntry {
  readonly kind: PrincipalKind;
  readonly name: string;
  readonly level: string;
}

function askedIn(sent: Sent, type: ObjectType, objectId: string): AskedEntry {
  const names = Object.keys(NAMES).filter((name) => sent.has(name));
  const [field] = names;
  if (field === undefined || names.length > 1) {
    const reason = `An entry of ${MEMBER} must have exactly one of ${Object.keys(NAMES).join(', ')}.`;
    throw errors.INVALID_PARAMETER_VALUE({ reason });
  }
  const name = sent.need(field);
  const level = sent.need('permission_level');
  const { objectType } = typeRow(type);
  const levels = levelsOf(type, objectId);
  if (!levels.includes(level)) {
    const reason = `${level.slice(0, 100)} is not a permission level of ${objectType}; it must be one of ${levels.join(', ')}.`;
    throw errors.INVALID_PARAMETER_VALUE({ reason });
  }
  const kind = NAMES[field] as PrincipalKind;
  if (kind === 'group' && level === 'IS_OWNER')
    throw errors.INVALID_PARAMETER_VALUE({ reason: `A group cannot own a ${objectType}.` });
  return { kind, name, level };
}

/**
 * A principal of the workspace: a principal of the account that is not assigned to it counts as missing. A group of the workspace takes
 * precedence over a group of the account.
 */
async function principalNamed(
  reader: Reader,
  { id, accountId }: Workspace,
  visibility: Visibility,
  kind: PrincipalKind,
  name: string,
): Promise<Principal> {
  const own = kind === 'group' ? await byLogin(reader, accountId, kind, name, id) : undefined;
  const found = own ?? (await byLogin(reader, accountId, kind, name));
  if (found && (await visibility.has(found))) return found;
  throw principalErrors.PRINCIPAL_DOES_NOT_EXIST({ name: name.slice(0, 200) });
}

/** The user, or another kind of principal, with this name in the workspace. */
export const userNamed = (
  reader: Reader,
  workspace: Workspace,
  name: string,
  kind: PrincipalKind = 'user',
): Promise<Principal> => principalNamed(reader, workspace, new Visibility(reader, { workspace }), kind, name);
