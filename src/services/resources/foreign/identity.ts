import { identityIds } from '../../../kernel/arm/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { isObject, type Json } from '../../../kernel/values/index.ts';

/** The identity of a record after a write. A system-assigned principal stays the same as long as it exists; `None` removes it. */
export function identityAfter(
  jar: Parameters<typeof identityIds>[0],
  tenantId: string,
  sent: Json | undefined,
  before: Json | undefined,
): Json | undefined {
  if (!isObject(sent)) return undefined;
  const type = typeof sent.type === 'string' ? sent.type : 'None';
  if (/^none$/i.test(type)) return { type: 'None' };
  const known = isObject(before) && typeof before.principalId === 'string' ? before.principalId : undefined;
  const own = /SystemAssigned/i.test(type) && { principalId: known ?? uuid(), tenantId };
  const assigned = isObject(sent.userAssignedIdentities) ? Object.keys(sent.userAssignedIdentities) : [];
  const entries = assigned.map((id): [string, Json] => [id, { ...identityIds(jar, id) }]);
  return {
    type,
    ...own,
    ...(/UserAssigned/i.test(type) && { userAssignedIdentities: Object.fromEntries(entries) }),
  };
}
