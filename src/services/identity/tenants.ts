import type { Tenant, User } from '../../kernel/auth/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import { identityErrors } from './errors.ts';

/** Whose sign-in page it is: one tenant's, or everybody's. */
export interface Authority {
  /** As it stands in addresses: the tenant's id, `common` or `organizations`. */
  readonly segment: string;
  /** Absent where users of every tenant may sign in. */
  readonly tenant: Tenant | undefined;
}

const EVERY_TENANT = new Set(['common', 'organizations']);

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
