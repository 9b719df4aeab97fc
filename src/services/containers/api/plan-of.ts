import type { Resource } from '../../../kernel/arm/index.ts';
import type { Vault } from '../../../kernel/auth/index.ts';
import type {
  ContainerPlan,
  DnsPlan,
  GroupPlan,
  PortPlan,
  ProbePlan,
  RegistryLogin,
  ResourcePlan,
  SecurityPlan,
  VolumePlan,
} from '../../../kernel/engines/index.ts';
import type { Runtime, SealedSecrets } from '../collections.ts';
import { storedGroup } from './echo.ts';
import type {
  AmountsBody,
  ContainerBody,
  GroupPropertiesBody,
  InitContainerBody,
  PortBody,
  ProbeBody,
  RunBody,
  SecurityContextBody,
  VolumeBody,
} from './schema.ts';
import { type GroupSecrets, openSecrets } from './secrets.ts';

const BYTES_PER_GB = 2 ** 30;

/** The engine's plan for a stored group. */
export function planOf(
  resource: Resource,
  runtime: Runtime,
  secrets: SealedSecrets | undefined,
  vault: Vault,
): GroupPlan {
  const properties = storedGroup(resource);
  const { osType = 'Linux', restartPolicy = 'Always', ipAddress, dnsConfig } = properties;
  const { containers = [], initContainers = [], volumes = [] } = properties;
  const opened = openSecrets(vault, secrets);
  return {
    uid: runtime.uid,
    resourceId: resource.id,
    name: resource.name,
    osType,
    restartPolicy,
    init: initContainers.map((it) => initPlan(it, opened)),
    containers: containers.map((it, index) => containerPlan(it, index, opened)),
    volumes: [...volumes.map((it) => volumePlan(it, opened)), ...containers.flatMap(configMapVolume)],
    network: {
      address: ipAddress?.type ?? 'None',
      ports: (ipAddress?.ports ?? []).map(portPlan),
      dns: dnsConfig && dnsPlan(dnsConfig),
    },
    registries: (properties.imageRegistryCredentials ?? []).map((it) => registryLogin(it, opened)),
  };
}

function containerPlan(container: ContainerBody, index: number, secrets: GroupSecrets): ContainerPlan {
  const { ports = [], resources, livenessProbe, readinessProbe, ...run } = container.properties ?? {};
  const own = runPlan(container.name ?? '', run, secrets);
  const configMap = configMapVolume(container, index).map(({ name }) => ({
    volume: name,
    path: `${CONFIG_MAPS}/${container.name}`,
    readOnly: true,
  }));
  return {
    ...own,
    mounts: [...own.mounts, ...configMap],
    ports: ports.map(portPlan),
    resources: resources?.requests && resourcePlan(resources.requests, resources.limits),
    liveness: livenessProbe && probePlan(livenessProbe),
    readiness: readinessProbe && probePlan(readinessProbe),
  };
}

/** Mount path of config maps: one file for each key, in a folder named after the container. */
const CONFIG_MAPS = '/mnt/configmap';

/** Its name cannot collide with a user's volume. */
function configMapVolume({ properties }: ContainerBody, index: number): VolumePlan[] {
  const pairs = Object.entries(properties?.configMap?.keyValuePairs ?? {});
  if (pairs.length === 0) return [];
  const files = pairs.map(([key, value]) => [key, Buffer.from(value).toString('base64')] as const);
  return [{ kind: 'secret', name: `configmap--${index}`, files: Object.fromEntries(files) }];
}

function initPlan({ name = '', properties = {} }: InitContainerBody, secrets: GroupSecrets): ContainerPlan {
  const run = runPlan(name, properties, secrets);
  return { ...run, ports: [], resources: undefined, liveness: undefined, readiness: undefined };
}

type Run = Pick<ContainerPlan, 'name' | 'image' | 'command' | 'env' | 'mounts' | 'security'>;

function runPlan(name: string, run: RunBody, secrets: GroupSecrets): Run {
  const own = secrets.variables.filter((it) => it.container === name);
  const hidden = new Map(own.map((it) => [it.name, it.value]));
  return {
    name,
    image: run.image ?? '',
    // Some tools send an empty list when they have no command.
    command: run.command?.length ? run.command : undefined,
    env: (run.environmentVariables ?? []).map(({ name: variable = '', value }) => ({
      name: variable,
      value: value ?? hidden.get(variable) ?? '',
    })),
    mounts: (run.volumeMounts ?? []).map(({ name: volume = '', mountPath = '', readOnly = false }) => ({
      volume,
      path: mountPath,
      readOnly,
    })),
    security: run.securityContext && securityPlan(run.securityContext),
  };
}

const portPlan = ({ port = 0, protocol = 'TCP' }: PortBody): PortPlan => ({ port, protocol });

function resourcePlan(requests: AmountsBody, limits: AmountsBody | undefined): ResourcePlan {
  const { cpu = 0, memoryInGB = 0, gpu } = requests;
  return {
    requests: { cpu, memoryBytes: Math.round(memoryInGB * BYTES_PER_GB) },
    limits: { cpu: limits?.cpu ?? cpu, memoryBytes: Math.round((limits?.memoryInGB ?? memoryInGB) * BYTES_PER_GB) },
    gpu: gpu?.sku && gpu.count ? { count: gpu.count, sku: gpu.sku } : undefined,
  };
}

function probePlan(probe: ProbeBody): ProbePlan {
  return {
    check: checkPlan(probe),
    initialDelaySeconds: probe.initialDelaySeconds ?? 0,
    periodSeconds: probe.periodSeconds ?? 10,
    failureThreshold: probe.failureThreshold ?? 3,
    successThreshold: probe.successThreshold ?? 1,
    timeoutSeconds: probe.timeoutSeconds ?? 1,
  };
}

function checkPlan({ exec, httpGet }: ProbeBody): ProbePlan['check'] {
  if (!httpGet) return { kind: 'exec', command: exec?.command ?? [] };
  const { path = '/', port = 0, scheme = 'http', httpHeaders = [] } = httpGet;
  return {
    kind: 'httpGet',
    path: path.startsWith('/') ? path : `/${path}`,
    port,
    scheme,
    headers: httpHeaders.map(({ name = '', value = '' }) => ({ name, value })),
  };
}

function securityPlan(context: SecurityContextBody): SecurityPlan {
  const { privileged = false, allowPrivilegeEscalation, capabilities, runAsUser, runAsGroup, seccompProfile } = context;
  return {
    privileged,
    allowPrivilegeEscalation,
    addCapabilities: (capabilities?.add ?? []).map(capability),
    dropCapabilities: (capabilities?.drop ?? []).map(capability),
    runAsUser,
    runAsGroup,
    seccompProfile: seccompProfile === undefined ? undefined : Buffer.from(seccompProfile, 'base64').toString('utf8'),
  };
}

/** Normalises a capability: `CAP_NET_ADMIN` and `net_admin` become `NET_ADMIN`. */
const capability = (name: string): string => name.toUpperCase().replace(/^CAP_/, '');

function volumePlan(volume: VolumeBody, secrets: GroupSecrets): VolumePlan {
  const { name = '', azureFile, secret, secretReference, gitRepo } = volume;
  if (azureFile) {
    const { shareName = '', storageAccountName = '', readOnly = false } = azureFile;
    const storageAccountKey = secrets.shares.find((it) => it.volume === name)?.key;
    return { kind: 'azureFile', name, shareName, storageAccountName, storageAccountKey, readOnly };
  }
  if (secret || secretReference) {
    const content = secrets.files.find((it) => it.volume === name)?.content ?? {};
    const files = Object.entries(content).map(([file, value]) => [file, value.replace(/[\r\n]/g, '')] as const);
    return { kind: 'secret', name, files: Object.fromEntries(files) };
  }
  if (gitRepo) {
    const { repository = '', directory, revision } = gitRepo;
    return { kind: 'gitRepo', name, repository, directory: directory || undefined, revision: revision || undefined };
  }
  return { kind: 'emptyDir', name };
}

function dnsPlan({ nameServers = [], searchDomains, options }: NonNullable<GroupPropertiesBody['dnsConfig']>): DnsPlan {
  return { nameServers, searchDomains: blankSeparated(searchDomains), options: blankSeparated(options) };
}

const blankSeparated = (text = ''): string[] => text.split(/\s+/).filter(Boolean);

type Credential = NonNullable<GroupPropertiesBody['imageRegistryCredentials']>[number];

function registryLogin({ server = '', username }: Credential, secrets: GroupSecrets): RegistryLogin {
  const known = secrets.registries.find((it) => it.server === server && it.username === (username ?? ''));
  return { server, username, password: known?.password };
}
