import { asJson, readBody, type VersionRules } from '../../../kernel/arm/body/index.ts';
import { type Resource, resourceView, withPrefix } from '../../../kernel/arm/index.ts';
import type { Json, Tx } from '../../../kernel/store/index.ts';
import { CONTAINER_GROUP_PROFILE_TYPE } from '../api/versions.ts';
import { containerErrors } from '../errors.ts';
import type { ContainersJar } from '../jar.ts';
import { type LinkingCall, linkedResource } from '../profiles/linked.ts';
import { fill } from './fill.ts';
import { POOL, type PoolPropertiesBody } from './schema.ts';

/** Parsing, storing and rendering of a pool. */

export async function readPool(
  call: LinkingCall,
  sent: unknown,
  rules: VersionRules | undefined,
): Promise<PoolPropertiesBody> {
  const { draft, mistakes } = readBody(POOL, sent, { context: undefined, rules });
  mistakes.throwAny();
  const { containerGroupProperties, elasticityProfile, ...rest } = draft.properties ?? {};
  const asked = containerGroupProperties?.containerGroupProfile;
  const profile = asked?.id && (await linkedResource(call, asked.id, CONTAINER_GROUP_PROFILE_TYPE));
  if (!profile) {
    const target = 'properties.containerGroupProperties.containerGroupProfile.id';
    throw containerErrors.ContainerGroupProfileNotFound({ value: (asked?.id ?? '').slice(0, 500) }, { target });
  }
  return {
    containerGroupProperties: { ...containerGroupProperties, containerGroupProfile: { ...asked, id: profile.id } },
    ...(elasticityProfile && { elasticityProfile: { refillPolicy: 'always', ...elasticityProfile } }),
    ...rest,
  };
}

/** Returns the properties to store and fills the pool to match them. */
export async function filled(
  tx: Tx,
  jar: ContainersJar,
  key: string,
  pool: PoolPropertiesBody,
): Promise<Pick<Resource, 'properties'>> {
  const properties: Resource['properties'] = asJson({ ...pool, provisioningState: 'Succeeded' });
  await fill(tx, jar, key, properties);
  return { properties };
}

/** The real service writes the type of pools in lower case. */
export function poolView(pool: Resource, prefix: string): Record<string, unknown> {
  const view = resourceView(pool, prefix);
  const { containerGroupProperties, ...rest } = pool.properties;
  const { containerGroupProfile, ...others } = containerGroupProperties as { [member: string]: Json };
  const { id, ...revision } = containerGroupProfile as { [member: string]: Json };
  const profile = { id: withPrefix(String(id), prefix), ...revision };
  return {
    ...view,
    type: String(view.type).toLowerCase(),
    properties: { containerGroupProperties: { containerGroupProfile: profile, ...others }, ...rest },
  };
}
