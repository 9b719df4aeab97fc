import { Type } from 'typebox';
import {
  type Resource,
  type ResourceDefinition,
  STORAGE_ACCOUNTS_IN_REGION,
  VIRTUAL_MACHINES_IN_REGION,
} from '../../kernel/arm/index.ts';
import { errorTable } from '../../kernel/http/index.ts';
import type { QuotaLimit } from '../../kernel/limits/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import type { Tx } from '../../kernel/store/index.ts';
import { isObject, type JsonMembers } from '../../kernel/values/index.ts';
import { STORAGE_ACCOUNTS, VIRTUAL_MACHINES } from './counted-types.ts';

const countedErrors = errorTable({
  RegionQuotaExceeded: [
    409,
    "Creating '{name}' exceeds the quota of {maximum} {unit} of a subscription in the region '{region}'; there are {current}.",
  ],
});

const LIMITS: Readonly<Record<string, QuotaLimit>> = {
  [STORAGE_ACCOUNTS.type.toLowerCase()]: STORAGE_ACCOUNTS_IN_REGION,
  [VIRTUAL_MACHINES.type.toLowerCase()]: VIRTUAL_MACHINES_IN_REGION,
};

const Body = Type.Object({
  properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  sku: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  kind: Type.Optional(Type.String()),
});

function definitionOf(
  type: typeof STORAGE_ACCOUNTS,
  operations: string,
  namePattern: RegExp,
  limit: QuotaLimit,
): ResourceDefinition {
  return {
    ...type,
    operations,
    namePattern,
    body: Body,
    async write({ tx, call, id, name, location = '', body, existing }) {
      if (!existing) await take(tx, call.jar, limit, { subscription: subscriptionOf(id), region: location, name });
      const sent = isObject(body.properties) ? (body.properties as JsonMembers) : {};
      const { sku, kind } = body;
      return {
        properties: { ...sent, provisioningState: 'Succeeded' },
        extra: { ...(sku !== undefined && { sku }), ...(kind !== undefined && { kind }) },
      };
    },
    onDelete: freeCounted,
  };
}

const subscriptionOf = (id: string): string => (id.split('/')[2] ?? '').toLowerCase();

type LimitJar = Pick<Jar, 'limits'>;

interface Place {
  readonly subscription: string;
  readonly region: string;
  readonly name: string;
}

async function take(tx: Tx, { limits }: LimitJar, limit: QuotaLimit, place: Place): Promise<void> {
  const { subscription, region, name } = place;
  const { allowed, maximum, current } = await limits.takeQuota(tx, { limit, scope: [subscription, region] });
  if (!allowed)
    throw countedErrors.RegionQuotaExceeded({ name, maximum, current, region, unit: limit.unit ?? 'resources' });
}

/** In the transaction that deletes such a resource, by itself or with its group. */
export async function freeCounted(tx: Tx, resource: Resource, { limits }: LimitJar): Promise<void> {
  const { type, subscriptionId, location = '' } = resource;
  const limit = LIMITS[type.toLowerCase()];
  if (limit) await limits.freeQuota(tx, { limit, scope: [subscriptionId.toLowerCase(), location] });
}

export const COUNTED_DEFINITIONS: readonly ResourceDefinition[] = [
  definitionOf(STORAGE_ACCOUNTS, 'StorageAccounts', /^[a-z0-9]{3,24}$/, STORAGE_ACCOUNTS_IN_REGION),
  definitionOf(
    VIRTUAL_MACHINES,
    'VirtualMachines',
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_])?$/,
    VIRTUAL_MACHINES_IN_REGION,
  ),
];
