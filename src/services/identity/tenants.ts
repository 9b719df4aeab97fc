import type { Tenant, User } from '../../kernel/auth/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import { identityErrors } from './errors.ts';

/** Whose sign-in page it is: one tenant's, or everybody's. */
export interface Authority {
  /** As it stands in addresses: the tenant's id, `common`, `organizations` or `adfs`. */
  readonly segment: string;
  /** Absent where users of every tenant may sign in. */
  readonly tenant: Tenant | undefined;
}

/**
 * The authority of a sign-in server on premises. The libraries of the command line take it for one that needs no vendor to vouch for
 * it: they keep its port, and ask neither the vendor's cloud about its host nor this one about the realm of a user.
 */
export const ON_PREMISES = 'adfs';

const EVERY_TENANT = new Set(['common', 'organizations', ON_PREMISES]);

export async function authorityOf(jar: Jar, segment: string): Promise<Authority> {
  const lower = segment.toLowerCase();
  if (EVERY_TENANT.has(lower)) return { segment: lower, tenant: undefined };
  const tenant = await jar.directory.tenant(lower);
  if (!tenant) throw identityErrors.TenantNotFound({ tenant: segment });
  return { segment: tenant.id, tenant };
}

type Member = Pick<User, 'tenantId' | 'guestOf'>;

/** People are let in by their own tenant, and by those in which they are guests. */
export const mayUse = ({ tenant }: Authority, { tenantId, guestOf = [] }: Member): boolean =>
  tenant === undefined || tenant.id === tenantId || guestOf.includes(tenant.id);

/** The user as a member of the tenant that was asked, which is the home of the user where none was named. */
export const memberAt = ({ tenant }: Authority, user: User): User =>
  tenant === undefined ? user : { ...user, tenantId: tenant.id };
