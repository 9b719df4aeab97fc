import { type TSchema, Type } from 'typebox';
import { armFacts, type Resource, type ResourceWrite, type Subscription } from '../../../kernel/arm/index.ts';
import { type Json, type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import { computedProperties } from './computed-properties.ts';
import { membersOf, withoutSecrets } from './contents.ts';
import { identityAfter } from './identity.ts';
import type { ForeignType } from './rows.ts';

const Members = Type.Record(Type.String(), Type.Unknown());

/** Members beside `properties` that are stored as sent. */
export const TOP_LEVEL_MEMBERS = ['sku', 'kind', 'zones', 'plan', 'managedBy', 'extendedLocation'] as const;

/** Some clients send null for members that they leave out. */
const orNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

export const RecordBody = Type.Object({
  properties: orNull(Members),
  sku: orNull(Members),
  kind: orNull(Type.String()),
  zones: orNull(Type.Array(Type.String())),
  plan: orNull(Members),
  managedBy: orNull(Type.String()),
  extendedLocation: orNull(Members),
  identity: orNull(Type.Object({ type: Type.String(), userAssignedIdentities: orNull(Members) })),
});

export interface Written {
  readonly call: ResourceWrite<undefined>['call'];
  readonly id: string;
  readonly name: string;
  readonly location: string | undefined;
  readonly now: number;
}

/** The stored record: the body as sent, with the read-only properties of its provider. */
export function recordOf(
  { type }: ForeignType,
  { call, id, name, location, now }: Written,
  { properties, identity, ...body }: JsonMembers,
  existing: Resource | undefined,
): Pick<Resource, 'properties' | 'extra'> {
  const { tenantId } = armFacts(call).subscription as Subscription;
  const before = membersOf(existing?.properties);
  const made = computedProperties(type, { jar: call.jar, tenantId, id, name, location, now, before });
  const kept = Object.fromEntries(
    TOP_LEVEL_MEMBERS.map((member) => [member, withoutSecrets(body[member] ?? null) ?? undefined]),
  );
  return {
    properties: { ...membersOf(withoutSecrets(properties ?? {})), ...made, provisioningState: 'Succeeded' },
    extra: omitAbsent({
      ...(kept as Record<string, Json | undefined>),
      identity: identityAfter(call.jar, tenantId, identity, existing?.extra.identity),
    }),
  };
}
