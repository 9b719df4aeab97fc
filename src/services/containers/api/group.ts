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
import { GROUP, GROUP_NAME, type GroupBody, type GroupPropertiesBody } from './schema.ts';
import { keepSecrets, missingSecrets, openSecrets, sealSecrets, secretsIn } from './secrets.ts';
import { CONTAINER_GROUP_HEAD } from './types.ts';
import { readGroup } from './validate/index.ts';
import { CONTAINER_VERSIONS } from './version-table.ts';
import { OPERATION_POLLING } from './versions.ts';
import { groupView } from './view.ts';

interface Prepared {
  readonly body: GroupBody;
  readonly engine: EngineName;
}

/** Container groups as a resource type: everything but their actions and streams. */
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
    const group = readGroup(body, {
      location,
      aliases: jar.config.namespace,
      allowPrivileged,
      rules: arm.view.rules,
    });
    const engine = await askEngine(jar, ({ name }) => name);
    if (!existing) await throttleCreates(call);
    return { body: group, engine };
  },

  write: writeGroup,
  readCompanion: async (reader, key) => (await reader.get(runtimes, key))?.value,
  view: groupView,
  beforeDelete: (call) => throttleDeletes(call),
  refuseDelete: (resource, runtime) => refuseWhileTransitioning(resource.name, runtime),
  onDelete: forgetResource,
};

/** The whole of a PUT in one transaction: state, secrets, name, quota, operation and the work that follows. */
async function writeGroup(write: ResourceWrite<Prepared, ContainersJar>): Promise<Written<Runtime>> {
  const { tx, call, id, key, name, location: region = '', existing, prepared, origin } = write;
  const { jar } = call;
  const { subscriptionId, tenantId } = armFacts(call).subscription as Subscription;
  const properties = prepared.body.properties as GroupPropertiesBody;

  const before = (await tx.get(runtimes, key))?.value;
  refuseWhileTransitioning(name, before);
  if (existing && before && isActive(before)) throwAll(forbiddenChanges(prepared.body, existing));
  await storeSecrets(write, properties);
  const fqdn = await settleName(write, properties, tenantId);
  await takeQuotas(tx, jar, { subscriptionId, region }, properties, existing);

  const about = { subscriptionId, location: region, namespace: 'Vendor.ContainerInstance', resourceId: id };
  const course = { step: 'Pending', properties: { events: [] } };
  const operation = await beginOperation(tx, { ...about, ...course }, jar.clock.now());
  const asked = { origin, operation: operation.id };
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
        ipAddress: { ...(echo.ipAddress as { [key: string]: Json }), ...(ip && { ip }), ...(fqdn && { fqdn }) },
      }),
    },
    extra: {
      ...(zones && { zones: [...zones] }),
      ...(identity !== undefined && { identity }),
      systemData: systemDataAfter(call, existing?.extra.systemData),
    },
    companion: runtime,
    operation,
  };
}

/** Neither stopped nor ended; such a one is deployed anew, with whatever it is given. */
const isActive = (runtime: Runtime): boolean => runtime.state !== 'Stopped' && !hasEnded(runtime);

async function storeSecrets(
  { tx, call, key, existing }: ResourceWrite<Prepared, ContainersJar>,
  properties: GroupPropertiesBody,
): Promise<void> {
  const { vault } = call.jar;
  const stored = existing && (await tx.get(groupSecrets, key))?.value;
  const secrets = keepSecrets(secretsIn(properties), openSecrets(vault, stored), properties);
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
