import type { Reader } from '../../../kernel/store/index.ts';
import { isAdminOf } from '../access/standing.ts';
import { errors } from '../errors.ts';
import { callerIdentity, type PlatformCall, workspaceIn } from '../jar.ts';
import { type Guarded, requireLevel } from './guard.ts';
import type { PermissionedKind } from './guarded-kind.ts';
import { OBJECT_TYPES, type ObjectType, typeRow } from './levels.ts';
import { GUARDED_KINDS } from './registry.ts';

/** The object that a call of the permissions API addresses. */
export interface Addressed {
  readonly type: ObjectType;
  readonly id: string;
}

const isType = (text: string): text is ObjectType => Object.hasOwn(OBJECT_TYPES, text);

export function typeNamed(text: string): ObjectType {
  if (isType(text)) return text;
  throw errors.INVALID_PARAMETER_VALUE({ reason: `request_object_type is not recognized: ${text.slice(0, 100)}` });
}

const missing = ({ type, id }: Addressed) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `${typeRow(type).objectType} ${id.slice(0, 200)} does not exist.` });

export function kindOf(addressed: Addressed): PermissionedKind {
  const kind = GUARDED_KINDS[addressed.type];
  if (!kind) throw missing(addressed);
  return kind;
}

export async function findGuarded(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  addressed: Addressed,
): Promise<Guarded> {
  const guarded = await kindOf(addressed).find(reader, workspaceIn(call).id, addressed.id);
  if (guarded) return guarded;
  const { isHidden, seenAt = '' } = typeRow(addressed.type);
  if (isHidden) requireLevel(call, { ...addressed, acl: [] }, seenAt);
  throw missing(addressed);
}

/** Throws if the caller may not see the permissions. */
export function requireVisible(call: PlatformCall, guarded: Guarded): void {
  const { seenAt, levels } = typeRow(guarded.type);
  requireLevel(call, guarded, seenAt ?? (levels[0] as string));
}

const MANAGER = 'CAN_MANAGE';

/** Throws if the caller may not change the permissions. For types without a manager level, only administrators may. */
export function requireManagement(call: PlatformCall, guarded: Guarded): void {
  const { levels, objectType } = typeRow(guarded.type);
  if (levels.includes(MANAGER)) requireLevel(call, guarded, MANAGER);
  else if (!isAdmin(call))
    throw errors.PERMISSION_DENIED({ reason: `Only administrators can change the permissions of ${objectType}.` });
}

export const isAdmin = (call: Pick<PlatformCall, 'facts'>): boolean =>
  isAdminOf(callerIdentity(call), workspaceIn(call));
