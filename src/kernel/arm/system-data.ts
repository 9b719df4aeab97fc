import type { Caller } from '../auth/caller.ts';
import type { Json } from '../store/types.ts';
import type { ArmCall } from './route.ts';

export type IdentityType = 'Application' | 'Key' | 'ManagedIdentity' | 'User';

/** Claim in a managed identity's token that names the identity's resource. */
const MANAGED_IDENTITY_CLAIM = 'xms_mirid';
/** Authentication methods of the token (RFC 8176); `key` is the jar's own value for an access key. */
const METHOD_CLAIM = 'amr';

/** Kind of the calling identity. A managed identity has an application's token, so its claims are checked first. */
export function identityTypeOf({ claims, kind }: Pick<Caller, 'claims' | 'kind'>): IdentityType {
  if (typeof claims[MANAGED_IDENTITY_CLAIM] === 'string') return 'ManagedIdentity';
  if ([claims[METHOD_CLAIM]].flat().includes('key')) return 'Key';
  return kind === 'application' ? 'Application' : 'User';
}

/** Who created and last changed a resource, and when; stored and shown in this form. */
export function systemDataAfter(call: Pick<ArmCall, 'caller' | 'jar'>, before: Json | undefined): Json {
  const at = new Date(call.jar.clock.now()).toISOString();
  const by = call.caller?.name ?? '';
  const byType = call.caller ? identityTypeOf(call.caller) : 'User';
  const created = (before as { [member: string]: Json } | undefined) ?? {
    createdBy: by,
    createdByType: byType,
    createdAt: at,
  };
  return { ...created, lastModifiedBy: by, lastModifiedByType: byType, lastModifiedAt: at };
}
