import { throwAll } from '../../../kernel/arm/body/index.ts';
import {
  armFacts,
  checkTags,
  type Resource,
  type ResourceDefinition,
  type ResourceWrite,
  resourceView,
  systemDataAfter,
  type Written,
} from '../../../kernel/arm/index.ts';
import type { Json, Tx } from '../../../kernel/store/index.ts';
import { RULES } from '../api/complaints.ts';
import { plainEchoOf } from '../api/echo.ts';
import { addressInOrder, inOrder, PROFILE_PROPERTY_ORDER } from '../api/member-order.ts';
import { allowsPrivileged } from '../api/privileges.ts';
import { GROUP_NAME, type GroupBody, PROFILE } from '../api/schema.ts';
import { keepSecrets, missingSecrets, openSecrets, sealSecrets, secretsIn } from '../api/secrets.ts';
import { PROFILE_HEAD } from '../api/types.ts';
import { readGroup } from '../api/validate/index.ts';
import { CONTAINER_VERSIONS } from '../api/version-table.ts';
import { profileContainers, profileInitContainers } from '../api/view.ts';
import { containerErrors } from '../errors.ts';
import type { ContainersJar } from '../jar.ts';
import { profileRevisions, revisionKey, revisionsOf } from './collections.ts';

/** Container group profiles: templates of groups, with revisions. */
export const PROFILE_DEFINITION: ResourceDefinition<GroupBody, undefined, ContainersJar> = {
  ...PROFILE_HEAD,
  versions: CONTAINER_VERSIONS,
  operations: 'ContainerGroupProfiles',
  locationOfGroup: true,
  body: PROFILE.schema(),
  namePattern: GROUP_NAME,
  badName: (value) =>
    containerErrors.InvalidContainerGroupProfileName(
      { value, rule: RULES.InvalidContainerGroupName },
      { target: 'name' },
    ),
  prepare: ({ jar }, arm, { body, location = '' }) =>
    readGroup(
      body,
      { location, aliases: jar.config.namespace, allowPrivileged: allowsPrivileged(jar), rules: arm.view.rules },
      PROFILE,
    ),
  write: writeProfile,
  onDelete: forgetProfile,
  view: profileView,
};

/** Every accepted PUT creates a revision, even if nothing changed. */
async function writeProfile(write: ResourceWrite<GroupBody, ContainersJar>): Promise<Written<undefined>> {
  const { tx, call, now, id, key, name, location, body, existing, prepared } = write;
  const { vault } = call.jar;
  const properties = prepared.properties ?? {};
  const before = revisionOf(existing);
  const stored = before === 0 ? undefined : (await tx.get(profileRevisions, revisionKey(key, before)))?.value.secrets;
  const secrets = keepSecrets(secretsIn(properties), openSecrets(vault, stored), properties);
  throwAll(missingSecrets(properties, secrets));
  const sealed = sealSecrets(vault, secrets);
  const revision = before + 1;
  const written = {
    properties: { ...plainEchoOf(properties), revision },
    extra: {
      ...(prepared.zones && { zones: [...prepared.zones] }),
      systemData: systemDataAfter(call, existing?.extra.systemData),
    },
  };
  const { subscription, group } = armFacts(call);
  const home = { subscriptionId: subscription?.subscriptionId ?? '', resourceGroup: group?.name ?? '' };
  const tags = checkTags((body.tags ?? undefined) as Resource['tags'] | undefined);
  const resource: Resource = {
    ...{ ...home, id, name, location, tags, type: PROFILE_HEAD.type },
    ...written,
    createdAt: existing?.createdAt ?? now,
    changedAt: now,
  };
  await tx.put(profileRevisions, revisionKey(key, revision), {
    revision,
    resource,
    ...(sealed && { secrets: sealed }),
  });
  return written;
}

/** 0 if the profile does not exist yet. */
export const revisionOf = (profile: Resource | undefined): number =>
  typeof profile?.properties.revision === 'number' ? profile.properties.revision : 0;

const REVISIONS_PAGE = 200;

/** Groups that were created from the profile stay. */
export async function forgetProfile(tx: Tx, { id }: Resource): Promise<void> {
  for (;;) {
    const page = await tx.query(profileRevisions, { prefix: revisionsOf(id.toLowerCase()), limit: REVISIONS_PAGE });
    for (const { key } of page.items) await tx.delete(profileRevisions, key);
    if (!page.next) return;
  }
}

const PROFILE_ORDER = ['properties', 'zones', 'id', 'name', 'type', 'location', 'tags'] as const;

/** Rendered as by the real service: the policy of a confidential profile and the revision come last. */
export function profileView(profile: Resource, prefix: string): Record<string, unknown> {
  const { properties: _, ...head } = resourceView(profile, prefix);
  const { containers, initContainers, ipAddress, revision, confidentialComputeProperties, ...rest } =
    profile.properties;
  const properties: { [member: string]: Json | undefined } = {
    ...rest,
    containers: profileContainers(containers),
    ...(initContainers !== undefined && { initContainers: profileInitContainers(initContainers) }),
    ...(ipAddress !== undefined && { ipAddress: addressInOrder(ipAddress) }),
  };
  return inOrder(PROFILE_ORDER, {
    ...head,
    properties: {
      ...inOrder(PROFILE_PROPERTY_ORDER, properties),
      ...(confidentialComputeProperties !== undefined && { confidentialComputeProperties }),
      revision,
    },
  });
}
