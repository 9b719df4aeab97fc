import type { Tenant, User } from '../../kernel/auth/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import { identityErrors } from './errors.ts';

/** The authority of a sign-in page: one tenant, or all tenants. */
export interface Authority {
  /** As in addresses: the tenant's id, `common`, `organizations` or `adfs`. */
  readonly segment: string;
  /** Undefined if users of every tenant may sign in. */
  readonly tenant: Tenant | undefined;
}

/**
 * The authority of an on-premises sign-in server. For it, the libraries of the command line skip instance discovery: they keep its port,
 * and ask neither the vendor's cloud about its host nor this one about the realm of a user.
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

/** Users may sign in at their home tenant and at tenants where they are guests. */
export const mayUse = ({ tenant }: Authority, { tenantId, guestOf = [] }: Member): boolean =>
  tenant === undefined || tenant.id === tenantId || guestOf.includes(tenant.id);

/** Throws if the user is disabled or may not use the tenant. */
export function checkUser(authority: Authority, user: User): void {
  if (user.enabled === false) throw identityErrors.UserDisabled({ user: user.username });
  if (mayUse(authority, user)) return;
  throw identityErrors.ForeignUser({
    user: user.username,
    tenant: authority.tenant?.displayName ?? authority.segment,
  });
}

/** The user as a member of the requested tenant; without one, of their home tenant. */
export const memberAt = ({ tenant }: Authority, user: User): User =>
  tenant === undefined ? user : { ...user, tenantId: tenant.id };
