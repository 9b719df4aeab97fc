import { applications, users } from '../../../kernel/auth/index.ts';
import { isGuid } from '../../../kernel/odata/index.ts';
import { eq, pagesOf, type Reader } from '../../../kernel/store/index.ts';

/** `None` is the whole organization. */
export const PRINCIPAL_TYPES = ['User', 'App', 'Group', 'None'] as const;

export type PrincipalType = (typeof PRINCIPAL_TYPES)[number];

/**
 * One of several profiles of a service principal. Push datasets do not support profiles: the entry is stored and shown, but grants no
 * access.
 */
export interface Profile {
  readonly id: string;
  readonly displayName?: string;
}

/** An entry in a list of users. */
export interface Principal {
  /** Unique within a list. The object id in lower case, or a derived id for the whole organization and for profiles. */
  readonly principalId: string;
  readonly principalType: PrincipalType;
  /** The address of a user, the object id of an application or a group, or the tenant id for the whole organization. */
  readonly identifier: string;
  readonly displayName: string;
  readonly emailAddress?: string;
  readonly profile?: Profile;
}

/** A principal as a request or the seed names it. */
export interface NamedPrincipal {
  readonly principalType: PrincipalType;
  readonly identifier: string;
  readonly displayName?: string;
  readonly profile?: Profile;
}

/** Object ids contain no slash, so this id cannot collide with one. */
export const organizationId = (tenantId: string): string => `organization/${tenantId.toLowerCase()}`;

type Found = Omit<Principal, 'principalType' | 'profile'>;

/** Returns undefined if the tenant has no principal with this type and identifier. */
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
  // A separate entry, beside the one of the application itself.
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

/**
 * Matches the object id of the service principal or the client id. Scans the whole directory, which is small and has no index on the object
 * id.
 */
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

/** The directory has no groups, so any object id is accepted. */
async function findGroup(_: Reader, __: string, { identifier, displayName }: NamedPrincipal) {
  if (!isGuid(identifier)) return undefined;
  return { principalId: identifier.toLowerCase(), identifier, displayName: displayName ?? identifier };
}

async function findOrganization(_: Reader, tenantId: string, { identifier, displayName }: NamedPrincipal) {
  if (identifier.toLowerCase() !== tenantId) return undefined;
  return { principalId: organizationId(tenantId), identifier, displayName: displayName ?? 'Whole organization' };
}
