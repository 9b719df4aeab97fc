import type { Json } from '../store/types.ts';
import type { ArmCall } from './route.ts';

/** Who made a resource and who changed it last, and when; as stored and shown. */
export function systemDataAfter(call: Pick<ArmCall, 'caller' | 'jar'>, before: Json | undefined): Json {
  const at = new Date(call.jar.clock.now()).toISOString();
  const by = call.caller?.name ?? '';
  const byType = call.caller?.kind === 'application' ? 'Application' : 'User';
  const created = (before as { [member: string]: Json } | undefined) ?? {
    createdBy: by,
    createdByType: byType,
    createdAt: at,
  };
  return { ...created, lastModifiedBy: by, lastModifiedByType: byType, lastModifiedAt: at };
}
