import type { Caller } from '../auth/caller.ts';
import type { Json } from '../store/types.ts';
import type { ArmCall } from './route.ts';

export type IdentityType = 'Application' | 'Key' | 'ManagedIdentity' | 'User';

/** The claim of a managed identity's token that names the identity's resource. */
const MANAGED_IDENTITY_CLAIM = 'xms_mirid';
/** How the holder of a token has proved who it is (RFC 8176); `key` is the jar's own word for an access key. */
const METHOD_CLAIM = 'amr';

/** What kind of identity calls. A managed identity has a token of an application, so that the claims are looked at first. */
export function identityTypeOf({ claims, kind }: Pick<Caller, 'claims' | 'kind'>): IdentityType {
  if (typeof claims[MANAGED_IDENTITY_CLAIM] === 'string') return 'ManagedIdentity';
  if ([claims[METHOD_CLAIM]].flat().includes('key')) return 'Key';
  return kind === 'application' ? 'Application' : 'User';
}

/** Who made a resource and who changed it last, and when; as stored and shown. */
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
