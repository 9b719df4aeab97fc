import type { Json, JsonMembers } from '../../../../kernel/values/index.ts';
import type { Securable } from '../core/securables.ts';

/** `cloud:region:id`, the name of a metastore in other metastores. */
export const globalIdOf = ({ fields, id }: Pick<Securable, 'fields' | 'id'>): string =>
  `${fields.cloud}:${fields.region}:${id}`;

const PARTS = 3;

/** The metastore id in a global id. */
export function metastoreIdIn(globalId: string): string | undefined {
  const parts = globalId.split(':', PARTS + 1);
  return parts.length === PARTS && parts.every((each) => each !== '') ? parts[PARTS - 1] : undefined;
}

/** The cloud and region in a global id. */
export function cloudAndRegionOf(globalId: Json | undefined): JsonMembers {
  const [cloud, region, metastore] = typeof globalId === 'string' ? globalId.split(':') : [];
  return cloud === undefined || region === undefined || metastore === undefined ? {} : { cloud, region };
}
