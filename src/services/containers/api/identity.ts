import { createHash } from 'node:crypto';
import { resourceKey } from '../../../kernel/arm/ids.ts';
import { uuid } from '../../../kernel/ids.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import type { Json } from '../../../kernel/store/types.ts';
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

/** The identity of a group after a PUT: left out, it stays; `None` takes it away. */
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
  const system = type.includes('SystemAssigned') && { principalId: known?.principalId ?? uuid(), tenantId };
  const entries = assignedIdentities(body).map((id) => {
    const key = resourceKey(id, jar.config.namespace);
    return [id, { principalId: guidOf(jar.id, 'principal', key), clientId: guidOf(jar.id, 'client', key) }] as const;
  });
  return {
    type,
    ...system,
    ...(type.includes('UserAssigned') && { userAssignedIdentities: Object.fromEntries(entries) }),
  };
}

/** The same for the same identity wherever it is used in a jar. */
function guidOf(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(parts.join('\n')).digest('hex');
  const variant = ((Number.parseInt(hex[16] as string, 16) & 3) | 8).toString(16);
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, variant + hex.slice(17, 20)];
  return [...groups, hex.slice(20, 32)].join('-');
}
