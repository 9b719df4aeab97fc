import {
  type ResourceDefinition,
  type ResourceWrite,
  systemDataAfter,
  type Written,
} from '../../../kernel/arm/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { RULES } from '../api/complaints.ts';
import { STANDBY_POOL_HEAD } from '../api/types.ts';
import { containerErrors } from '../errors.ts';
import type { ContainersJar } from '../jar.ts';
import { deletePool } from './delete.ts';
import { isDeleting } from './fill.ts';
import { forgetPool } from './forget.ts';
import { patchPool } from './patch.ts';
import { filled, poolView, readPool } from './pool.ts';
import { POOL, POOL_NAME, type PoolPropertiesBody } from './schema.ts';

/** Standby pools: instances of a profile that are started before a group needs them. */
export const STANDBY_POOL: ResourceDefinition<PoolPropertiesBody, undefined, ContainersJar> = {
  ...STANDBY_POOL_HEAD,
  operations: 'StandbyContainerGroupPools',
  locationOfGroup: true,
  body: POOL.schema(),
  namePattern: POOL_NAME,
  badName: (value) =>
    containerErrors.InvalidStandbyPoolName({ value, rule: RULES.InvalidStandbyPoolName }, { target: 'name' }),
  prepare: (call, arm, { body }) => readPool(call, body, arm.view.rules),
  write: writePool,
  onDelete: forgetPool,
  patch: patchPool,
  remove: deletePool,
  view: poolView,
};

async function writePool(write: ResourceWrite<PoolPropertiesBody, ContainersJar>): Promise<Written<undefined>> {
  const { tx, call, key, existing, prepared, name } = write;
  if (existing && isDeleting(existing)) throw containerErrors.StandbyPoolDeleting({ pool: name });
  return {
    ...(await filled(tx, call.jar, key, prepared)),
    extra: { systemData: systemDataAfter(call, existing?.extra.systemData) },
    headers: { etag: `"${uuid()}"` },
  };
}
