import { identityIds } from '../../../kernel/arm/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Json } from '../../../kernel/store/index.ts';
import type { GroupBody } from './schema.ts';
import { assignedIdentities } from './validate/identity.ts';

interface StoredIdentity {
  readonly type: string;
  readonly principalId?: string;
  readonly tenantId?: string;
  readonly userAssignedIdentities?: Readonly<
    Record<string, { readonly principalId: string; readonly clientId: string }>
  >;
}

/** The identity of a group after a PUT. If the body leaves it out, it stays; `None` removes it. */
export function identityAfter(
  body: GroupBody,
  before: Json | undefined,
  tenantId: string,
  jar: Pick<Jar, 'id' | 'config'>,
): Json | undefined {
  const type = body.identity?.type;
  if (type === undefined) return before;
  if (type === 'None') return undefined;
  const known = before as StoredIdentity | undefined;
  const system = type.includes('SystemAssigned') && { principalId: known?.principalId ?? uuid() };
  const entries = assignedIdentities(body).map((id) => [id, { ...identityIds(jar, id) }] as const);
  return {
    type,
    ...system,
    // Every kind of identity shows the tenant.
    tenantId,
    ...(type.includes('UserAssigned') && { userAssignedIdentities: Object.fromEntries(entries) }),
  };
}
