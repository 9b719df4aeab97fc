import { applications, users } from '../../../kernel/auth/index.ts';
import { isGuid } from '../../../kernel/odata/index.ts';
import { eq, pagesOf, type Reader } from '../../../kernel/store/index.ts';

/** `None` stands for the whole organization. */
export const PRINCIPAL_TYPES = ['User', 'App', 'Group', 'None'] as const;

export type PrincipalType = (typeof PRINCIPAL_TYPES)[number];

/** One of several identities of an application. Push datasets do not serve them: the entry is kept and shown, and opens nothing. */
export interface Profile {
  readonly id: string;
  readonly displayName?: string;
}

/** Who is in a list of users. */
export interface Principal {
  /** The object id in lower case; what `principalIdOf` makes of it otherwise. No two in a list have the same. */
  readonly principalId: string;
  readonly principalType: PrincipalType;
  /** The address of a user, the object id of an application or a group, the tenant's id for the whole organization. */
  readonly identifier: string;
  readonly displayName: string;
  readonly emailAddress?: string;
  readonly profile?: Profile;
}

/** As a request or the seed names somebody. */
export interface NamedPrincipal {
  readonly principalType: PrincipalType;
  readonly identifier: string;
  readonly displayName?: string;
  readonly profile?: Profile;
}

/** No object id has a slash. */
export const organizationId = (tenantId: string): string => `organization/${tenantId.toLowerCase()}`;

type Found = Omit<Principal, 'principalType' | 'profile'>;

/** Undefined: the tenant has nobody of this type and name. */
export async function findPrincipal(
  reader: Reader,
  tenantId: string,
  named: NamedPrincipal,
): Promise<Principal | undefined> {
  const found = await FINDERS[named.principalType](reader, tenantId.toLowerCase(), named);
  if (!found) return undefined;
  const { principalType, profile } = named;
  if (!profile) return { ...found, principalType };
  if (principalType !== 'App') return undefined;
  // An entry of its own beside that of the application.
  return { ...found, principalType, principalId: `${found.principalId}/${profile.id.toLowerCase()}`, profile };
}

const FINDERS: Readonly<
  Record<PrincipalType, (reader: Reader, tenantId: string, named: NamedPrincipal) => Promise<Found | undefined>>
> = { User: findUser, App: findApplication, Group: findGroup, None: findOrganization };

async function findUser(reader: Reader, tenantId: string, { identifier }: NamedPrincipal): Promise<Found | undefined> {
  const name = identifier.toLowerCase();
  const user =
    (await reader.get(users, name, 'none'))?.value ??
    (await reader.query(users, { filter: eq('username', name), limit: 1 })).items[0]?.value;
  if (user?.tenantId.toLowerCase() !== tenantId) return undefined;
  const { id, username, displayName } = user;
  return { principalId: id.toLowerCase(), identifier: username, displayName, emailAddress: username };
}

/** By the object id of its service identity, or by its client id. The directory is small, and has no index for the former. */
async function findApplication(
  reader: Reader,
  tenantId: string,
  { identifier }: NamedPrincipal,
): Promise<Found | undefined> {
  const name = identifier.toLowerCase();
  for await (const page of pagesOf(reader, applications)) {
    const found = page.find(({ value }) => [value.objectId, value.id].some((id) => id.toLowerCase() === name))?.value;
    if (!found) continue;
    if (found.tenantId.toLowerCase() !== tenantId) return undefined;
    const { objectId, displayName } = found;
    return { principalId: objectId.toLowerCase(), identifier: objectId, displayName };
  }
  return undefined;
}

/** The directory knows no groups, so any object id may be one. */
async function findGroup(_: Reader, __: string, { identifier, displayName }: NamedPrincipal) {
  if (!isGuid(identifier)) return undefined;
  return { principalId: identifier.toLowerCase(), identifier, displayName: displayName ?? identifier };
}

async function findOrganization(_: Reader, tenantId: string, { identifier, displayName }: NamedPrincipal) {
  if (identifier.toLowerCase() !== tenantId) return undefined;
  return { principalId: organizationId(tenantId), identifier, displayName: displayName ?? 'Whole organization' };
}
