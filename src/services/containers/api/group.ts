import { throwAll } from '../../../kernel/arm/body/index.ts';
import {
  armFacts,
  beginOperation,
  type ResourceDefinition,
  type ResourceGroup,
  type ResourceWrite,
  type Subscription,
  systemDataAfter,
  type Written,
} from '../../../kernel/arm/index.ts';
import type { EngineName } from '../../../kernel/engines/index.ts';
import type { Json } from '../../../kernel/store/index.ts';
import { groupSecrets, type Runtime, runtimes } from '../collections.ts';
import { containerErrors } from '../errors.ts';
import type { ContainersJar } from '../jar.ts';
import { takeInstance, waitUntilRunning } from '../pools/take.ts';
import { type GroupSource, groupOfProfile } from '../profiles/group-of-profile.ts';
import { deployNew, hasEnded, redeploy, refuseWhileTransitioning } from '../runtime/transitions.ts';
import { DEFAULT_DNS_SUFFIX, settingsOf } from '../settings.ts';
import { askEngine } from './ask-engine.ts';
import { RULES } from './complaints.ts';
import { fqdnOf, holdName } from './dns-name.ts';
import { echoOf } from './echo.ts';
import { forgetResource } from './forget-group.ts';
import { identityAfter } from './identity.ts';
import { forbiddenChanges } from './immutable.ts';
import { throttleCreates, throttleDeletes } from './limits.ts';
import { allowsPrivileged } from './privileges.ts';
import { takeQuotas } from './quotas.ts';
import { forgetDeletedGroup, recentlyDeletedError } from './recently-deleted.ts';
import { GROUP, GROUP_NAME, type GroupBody, type GroupPropertiesBody } from './schema.ts';
import { keepSecrets, missingSecrets, openSecrets, sealSecrets, secretsIn } from './secrets.ts';
import { CONTAINER_GROUP_HEAD } from './types.ts';
import { readGroup } from './validate/index.ts';
import { CONTAINER_VERSIONS } from './version-table.ts';
import { NAMESPACE, OPERATION_POLLING } from './versions.ts';
import { groupView } from './view.ts';

interface Prepared {
  readonly body: GroupBody;
  /** Undefined unless the group is created from a profile. */
  readonly source: GroupSource | undefined;
  readonly engine: EngineName;
}

/** Container groups as a resource type, without their actions and streams. */
export const CONTAINER_GROUP: ResourceDefinition<Prepared, Runtime, ContainersJar> = {
  ...CONTAINER_GROUP_HEAD,
  versions: CONTAINER_VERSIONS,
  operations: 'ContainerGroups',
  locationOfGroup: true,
  body: GROUP.schema(),
  namePattern: GROUP_NAME,
  polling: OPERATION_POLLING,
  badName: (value) =>
    containerErrors.InvalidContainerGroupName({ value, rule: RULES.InvalidContainerGroupName }, { target: 'name' }),

  async prepare(call, arm, { body, location = '', existing }) {
    const { jar } = call;
    const allowPrivileged = allowsPrivileged(jar);
    const source = await groupOfProfile(call, body, arm.view.rules);
    const group = readGroup(source?.body ?? body, {
      location,
      aliases: jar.config.namespace,
      allowPrivileged,
      rules: source ? undefined : arm.view.rules,
    });
    const engine = await askEngine(jar, ({ name }) => name);
    if (!existing) await throttleCreates(call);
    return { body: group, source, engine };
  },

  write: writeGroup,
  notFound: recentlyDeletedError,
  beforeAnswer: (call, resource) => waitUntilRunning(call.jar, call.signal, resource),
  readCompanion: async (reader, key) => (await reader.get(runtimes, key))?.value,
  view: groupView,
  beforeDelete: (call) => throttleDeletes(call),
  refuseDelete: (resource, runtime) => refuseWhileTransitioning(resource.name, runtime),
  onDelete: forgetResource,
};

/** Processes a PUT in one transaction: state, secrets, name, quotas, operation and the resulting work. */
async function writeGroup(write: ResourceWrite<Prepared, ContainersJar>): Promise<Written<Runtime>> {
  const { tx, call, id, key, name, location: region = '', existing, prepared, origin } = write;
  const { jar } = call;
  const { subscriptionId, tenantId } = armFacts(call).subscription as Subscription;
  const properties = prepared.body.properties as GroupPropertiesBody;

  const before = (await tx.get(runtimes, key))?.value;
  refuseWhileTransitioning(name, before);
  if (existing && before && isActive(before)) throwAll(forbiddenChanges(prepared.body, existing));
  await storeSecrets(write, properties);
  if (!existing) await forgetDeletedGroup(tx, key);
  const fqdn = await settleName(write, properties, tenantId);
  await takeQuotas(tx, jar, { subscriptionId, region }, properties, existing);

  const isFromPool = existing ? existing.properties.isCreatedFromStandbyPool === true : await takeInstance(write);

  const about = { subscriptionId, location: region, namespace: NAMESPACE, resourceId: id, retryAfter: false } as const;
  const isReady = isFromPool && !existing;
  const course = { step: 'Pending', ...(!isReady && { properties: { events: [] } }) };
  const operation = await beginOperation(tx, { ...about, ...course, origin }, jar.clock.now());
  const asked = { origin, operation: operation.id, ...(isReady && { isFromPool: isReady }) };
  const runtime = before
    ? await redeploy(tx, jar, key, before, 'update', asked)
    : await deployNew(tx, jar, { key, resourceId: id, engine: prepared.engine }, asked);

  const echo = echoOf(properties);
  const ip = runtime.keepSandbox ? runtime.status.ip : undefined;
  const { zones } = prepared.body;
  const identity = identityAfter(prepared.body, existing?.extra.identity, tenantId, jar);
  return {
    properties: {
      provisioningState: runtime.provisioningState,
      ...echo,
      ...(echo.ipAddress !== undefined && {
        ipAddress: { ...ownAddress(echo.ipAddress), ...(ip && { ip }), ...(fqdn && { fqdn }) },
      }),
      ...(isFromPool && { isCreatedFromStandbyPool: true }),
    },
    extra: {
      ...(zones && { zones: [...zones] }),
      ...(identity !== undefined && { identity }),
      systemData: systemDataAfter(call, existing?.extra.systemData),
    },
    companion: runtime,
    operation,
    headers: { 'azure-asyncnotification': 'Enabled' },
  };
}

/** The label scope is dropped if the address has no label. */
function ownAddress(address: Json): { [key: string]: Json } {
  const { autoGeneratedDomainNameLabelScope: scope, ...rest } = address as { [key: string]: Json };
  return { ...rest, ...(rest.dnsNameLabel && scope !== undefined && { autoGeneratedDomainNameLabelScope: scope }) };
}

/** True if the group is neither stopped nor ended. A group that is not active is deployed anew and accepts any change. */
const isActive = (runtime: Runtime): boolean => runtime.state !== 'Stopped' && !hasEnded(runtime);

async function storeSecrets(
  { tx, call, key, existing, prepared }: ResourceWrite<Prepared, ContainersJar>,
  properties: GroupPropertiesBody,
): Promise<void> {
  const { vault } = call.jar;
  const stored = existing && (await tx.get(groupSecrets, key))?.value;
  const known = openSecrets(vault, prepared.source?.secrets ?? stored);
  const secrets = keepSecrets(secretsIn(properties), known, properties);
  throwAll(missingSecrets(properties, secrets));
  const sealed = sealSecrets(vault, secrets);
  if (sealed) await tx.put(groupSecrets, key, sealed);
  else if (stored) await tx.delete(groupSecrets, key);
}

async function settleName(
  { tx, call, id, location: region = '', existing }: ResourceWrite<Prepared, ContainersJar>,
  { ipAddress }: GroupPropertiesBody,
  tenantId: string,
): Promise<string | undefined> {
  const { subscriptionId, name: resourceGroup } = armFacts(call).group as ResourceGroup;
  const suffix = settingsOf(call.jar).dnsSuffix ?? DEFAULT_DNS_SUFFIX;
  const fqdn = fqdnOf(ipAddress, { region, tenantId, subscriptionId, resourceGroup, suffix }, existing);
  await holdName(tx, { id, label: ipAddress?.dnsNameLabel ?? '', region }, fqdn, existing);
  return fqdn;
}
