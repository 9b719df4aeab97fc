import type { Json, JsonMembers } from '../../../../kernel/values/index.ts';
import type { Securable } from '../core/securables.ts';

/** `cloud:region:id`, by which other metastores name a metastore. */
export const globalIdOf = ({ fields, id }: Pick<Securable, 'fields' | 'id'>): string =>
  `${fields.cloud}:${fields.region}:${id}`;

const PARTS = 3;

/** The id of the metastore that a global id names. */
export function metastoreIdIn(globalId: string): string | undefined {
  const parts = globalId.split(':', PARTS + 1);
  return parts.length === PARTS && parts.every((each) => each !== '') ? parts[PARTS - 1] : undefined;
}

/** Cloud and region of the metastore that a global id names. */
export function whereaboutsOf(globalId: Json | undefined): JsonMembers {
  const [cloud, region, metastore] = typeof globalId === 'string' ? globalId.split(':') : [];
  return cloud === undefined || region === undefined || metastore === undefined ? {} : { cloud, region };
}
