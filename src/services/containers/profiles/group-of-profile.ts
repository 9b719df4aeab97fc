import { readBody, type VersionRules } from '../../../kernel/arm/body/index.ts';
import { type Resource, resourceKey } from '../../../kernel/arm/index.ts';
import { storedGroup } from '../api/echo.ts';
import { type ContainerBody, GROUP, type GroupBody, type GroupPropertiesBody } from '../api/schema.ts';
import { MOST_ENTRIES } from '../api/validate/sizes.ts';
import { CONTAINER_GROUP_PROFILE_TYPE, STANDBY_POOL_TYPE } from '../api/versions.ts';
import type { SealedSecrets } from '../collections.ts';
import { containerErrors } from '../errors.ts';
import { profileRevisions, revisionKey } from './collections.ts';
import { revisionOf } from './definition.ts';
import { type LinkingCall, linkedResource } from './linked.ts';

/** Source of a group that is created from a profile. */
export interface GroupSource {
  /** Validated like any other group. */
  readonly body: GroupBody;
  readonly secrets: SealedSecrets | undefined;
  readonly pool: PoolSource | undefined;
}

export interface PoolSource {
  readonly key: string;
  /** If true, the group is not created when the pool has no ready instance. */
  readonly isMust: boolean;
}

/** The group that a body with a `containerGroupProfile` describes; undefined if the body has none. */
export async function groupOfProfile(
  call: LinkingCall,
  sent: unknown,
  rules: VersionRules | undefined,
): Promise<GroupSource | undefined> {
  const { draft, mistakes } = readBody(GROUP, sent, { context: undefined, unreadBeyond: MOST_ENTRIES, rules });
  const { containerGroupProfile: asked, standbyPoolProfile: pool, ...own } = draft.properties ?? {};
  const wrong = mistakes.first('type');
  if (!asked && !pool) return undefined;
  if (wrong) throw wrong;
  const target = 'properties.containerGroupProfile.id';
  if (!asked?.id) throw containerErrors.MissingRequiredProperty({ at: target }, { target });
  const profile = await linkedResource(call, asked.id, CONTAINER_GROUP_PROFILE_TYPE);
  if (!profile) throw containerErrors.ContainerGroupProfileNotFound({ value: asked.id.slice(0, 500) }, { target });
  const revision = asked.revision ?? revisionOf(profile);
  const key = revisionKey(profile.id.toLowerCase(), revision);
  const found = (await call.jar.store.get(profileRevisions, key))?.value;
  if (!found) {
    const at = 'properties.containerGroupProfile.revision';
    throw containerErrors.ContainerGroupProfileNotFound__Revision({ name: profile.name, revision }, { target: at });
  }
  return {
    body: merged(draft, own, found.resource, { id: profile.id, revision }),
    secrets: found.secrets,
    pool: pool && (await poolOf(call, pool, profile, revision)),
  };
}

/** The profile takes precedence; the body adds fields that a profile cannot have, and config map pairs. */
function merged(
  { zones, identity }: GroupBody,
  own: GroupPropertiesBody,
  profile: Resource,
  containerGroupProfile: { readonly id: string; readonly revision: number },
): GroupBody {
  const { containers = [], ...shared } = storedGroup(profile);
  const { dnsConfig, subnetIds, networkProfile, identityAcls } = own;
  const zonesOfProfile = profile.extra.zones as string[] | undefined;
  const { revision: _, ...properties } = shared as GroupPropertiesBody & { revision?: number };
  return {
    ...((zones ?? zonesOfProfile) && { zones: zones ?? zonesOfProfile }),
    ...(identity && { identity }),
    properties: {
      ...properties,
      ...(dnsConfig && { dnsConfig }),
      ...(subnetIds && { subnetIds }),
      ...(networkProfile && { networkProfile }),
      ...(identityAcls && { identityAcls }),
      containers: containers.map((container) => withPairs(container, own.containers ?? [])),
      containerGroupProfile,
    },
  };
}

/**
 * Pairs for a container of the profile extend and override that container's pairs. Pairs for other containers are dropped, as by the real
 * service.
 */
function withPairs(container: ContainerBody, sent: readonly ContainerBody[]): ContainerBody {
  const same = sent.find(({ name }) => name?.toLowerCase() === container.name?.toLowerCase());
  const pairs = same?.properties?.configMap?.keyValuePairs;
  if (!pairs) return container;
  const known = container.properties?.configMap?.keyValuePairs;
  return {
    ...container,
    properties: { ...container.properties, configMap: { keyValuePairs: { ...known, ...pairs } } },
  };
}

async function poolOf(
  call: LinkingCall,
  { id = '', failContainerGroupCreateOnReuseFailure = false }: NonNullable<GroupPropertiesBody['standbyPoolProfile']>,
  profile: Resource,
  revision: number,
): Promise<PoolSource> {
  const target = 'properties.standbyPoolProfile.id';
  const pool = id === '' ? undefined : await linkedResource(call, id, STANDBY_POOL_TYPE);
  if (!pool) throw containerErrors.StandbyPoolNotFound({ value: id.slice(0, 500) }, { target });
  const { containerGroupProfile: own } = (pool.properties.containerGroupProperties ?? {}) as {
    readonly containerGroupProfile?: { readonly id?: string; readonly revision?: number };
  };
  const isSame = resourceKey(own?.id ?? '', call.jar.config.namespace) === profile.id.toLowerCase();
  if (!isSame || (own?.revision ?? revision) !== revision) {
    throw containerErrors.StandbyPoolProfileMismatch({ pool: pool.name, profile: profile.name, revision }, { target });
  }
  return { key: pool.id.toLowerCase(), isMust: failContainerGroupCreateOnReuseFailure };
}
