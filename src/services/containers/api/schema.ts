import type { DraftOf } from '../../../kernel/arm/body/index.ts';
import { containerErrors } from '../errors.ts';
import { missing, missingAt, missingName, missingOsType } from './complaints.ts';
import {
  amount,
  atLeast,
  boolean,
  dnsOptions,
  entries,
  form,
  int32,
  json,
  list,
  map,
  nameServers,
  object,
  oneOf,
  policy,
  port,
  probedPort,
  searchDomains,
  seccompProfile,
  text,
  texts,
} from './fields.ts';

/** The body of a PUT of a container group: all fields that a client can set. Read-only fields are not declared here. */

export const OS_TYPES = ['Linux', 'Windows'] as const;
export const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'] as const;
/** `NotSpecified` appears in recent api-versions and means `Standard`. */
export const SKUS = ['Standard', 'Dedicated', 'Confidential', 'NotSpecified'] as const;
export const PRIORITIES = ['Regular', 'Spot'] as const;
export const PROTOCOLS = ['TCP', 'UDP'] as const;
export const SCHEMES = ['http', 'https'] as const;
export const GPU_SKUS = ['K80', 'P100', 'V100'] as const;
export const ADDRESS_TYPES = ['Public', 'Private'] as const;
/** The published models of the real service spell the last value `Noreuse`; both spellings are echoed as sent. */
export const LABEL_SCOPES = ['Unsecure', 'TenantReuse', 'SubscriptionReuse', 'ResourceGroupReuse', 'NoReuse'] as const;
export const LOG_TYPES = ['ContainerInsights', 'ContainerInstanceLogs'] as const;
export const IDENTITY_TYPES = ['SystemAssigned', 'UserAssigned', 'SystemAssigned, UserAssigned', 'None'] as const;

export const IDENTITY_ACCESSES = ['None', 'System', 'User', 'All'] as const;

/** Name pattern of groups and containers. */
export const GROUP_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const LABEL = /^[a-z0-9][a-z0-9-]{3,61}[a-z0-9]$/;
const VOLUME_NAME = /^(?!.*--)[a-z0-9][a-z0-9-]{3,61}[a-z0-9]$/;
const SHARE_NAME = /^(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
const IMAGE = /^[^\s-][^\s]{0,1023}$/;
/** A drive letter is not allowed either: engines split the path at a colon. */
const MOUNT_PATH = /^[/\\](?![/\\]*$)(?!(.*[/\\])?\.{1,2}([/\\]|$))[^:\p{Cc}]{1,1023}$/su;
const CAPABILITY = /^[A-Za-z_]{2,40}$/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,256}$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const GIT_REPOSITORY =
  /^(?=.{1,2048}$)((https?|git|ssh|file):\/\/[^\s-][^\s]*|[\w.][\w.-]*@[\w.][\w.-]*:[^\s-][^\s]*)$/i;
const GIT_DIRECTORY = /^(?![/\\-])(?!(.*[/\\])?\.\.([/\\]|$))[^:\p{Cc}]{0,1024}$/su;
const GIT_REVISION = /^(?!.*\.\.)[\w][\w./-]{0,254}$/;
const REGISTRY_SERVER = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?(\/[\w./-]*)?$/i;
const SUBNET_ID =
  /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/[^/]+\.Network\/virtualNetworks\/[^/]+\/subnets\/[^/]+$/i;

const EnvironmentVariable = object({
  name: form('InvalidEnvironmentVariableName', /^\w{1,63}$/, missingName('InvalidEnvironmentVariableName')),
  value: text(),
  secureValue: text({ secret: true }),
  secureValueReference: text(),
});
const VolumeMount = object({
  name: text({ required: missing }),
  mountPath: form('InvalidMountPath', MOUNT_PATH, missing),
  readOnly: boolean(),
});
const Port = object({ port: port(), protocol: oneOf(PROTOCOLS, 'InvalidProtocol') });
const Gpu = object(
  { count: int32({ required: missing }), sku: oneOf(GPU_SKUS, 'InvalidGpuSku') },
  {
    // An empty sku is reported both as missing and as not in the list.
    check: ({ sku }, at) => {
      if (!sku) at.member('sku').wrong(missing, 'missing');
    },
  },
);
const Requests = object(
  {
    cpu: amount(missingAt('ResourceSomeRequestsNotSpecified')),
    memoryInGB: amount(missingAt('ResourceSomeRequestsNotSpecified')),
    gpu: Gpu,
  },
  { required: missingAt('ResourceRequestsNotSpecified') },
);
const Limits = object({ cpu: amount(), memoryInGB: amount(), gpu: Gpu });

const SecurityContext = object({
  privileged: boolean(),
  allowPrivilegeEscalation: boolean(),
  capabilities: object({
    add: entries('InvalidCapability', CAPABILITY),
    drop: entries('InvalidCapability', CAPABILITY),
  }),
  runAsUser: atLeast(0, 'InvalidUserId'),
  runAsGroup: atLeast(0, 'InvalidUserId'),
  seccompProfile: seccompProfile(),
});

const Probe = object({
  exec: object({ command: list(text(), { required: missing }) }),
  httpGet: object({
    path: form('InvalidProbePath', /^[\x21-\x7e]*$/),
    port: probedPort(),
    scheme: oneOf(SCHEMES, 'InvalidProbeScheme'),
    httpHeaders: list(
      object({
        name: form('InvalidHttpHeader', HEADER_NAME, missing),
        value: form('InvalidHttpHeader', HEADER_VALUE),
      }),
    ),
  }),
  initialDelaySeconds: atLeast(0, 'InvalidProbeTiming'),
  periodSeconds: atLeast(1, 'InvalidProbeTiming'),
  failureThreshold: atLeast(1, 'InvalidProbeTiming'),
  successThreshold: atLeast(1, 'InvalidProbeTiming'),
  timeoutSeconds: atLeast(1, 'InvalidProbeTiming'),
});

const RUN = {
  image: form('InvalidImage', IMAGE, missingAt('ImageNotSpecified')),
  command: texts(),
  environmentVariables: list(EnvironmentVariable),
  volumeMounts: list(VolumeMount),
  securityContext: SecurityContext,
};

const CONTAINER_NAME = form('InvalidContainerName', GROUP_NAME, missingName('InvalidContainerName'));

const Container = object({
  name: CONTAINER_NAME,
  properties: object(
    {
      ...RUN,
      ports: list(Port),
      configMap: object({ keyValuePairs: map(text()) }),
      resources: object({ requests: Requests, limits: Limits }, { implied: true }),
      livenessProbe: Probe,
      readinessProbe: Probe,
    },
    { implied: true },
  ),
});

const InitContainer = object({ name: CONTAINER_NAME, properties: object(RUN, { implied: true }) });

const Volume = object({
  name: form('InvalidVolumeName', VOLUME_NAME, missingName('InvalidVolumeName')),
  azureFile: object({
    shareName: form('InvalidShareName', SHARE_NAME, missing),
    readOnly: boolean(),
    storageAccountName: form('InvalidStorageAccountName', /^[a-z0-9]{3,24}$/, missing),
    storageAccountKey: text({ secret: true }),
    storageAccountKeyReference: text(),
    userAssignedIdentityClientId: text(),
  }),
  emptyDir: json(),
  secret: map(text(), { secret: true }),
  secretReference: map(text()),
  gitRepo: object({
    repository: form('InvalidGitRepository', GIT_REPOSITORY, missing),
    directory: form('InvalidGitRepositoryDirectory', GIT_DIRECTORY),
    revision: form('InvalidGitRepositoryRevision', GIT_REVISION),
  }),
});

const IpAddress = object({
  type: oneOf(ADDRESS_TYPES, 'InvalidIpAddressType', { required: missing }),
  ports: list(Port, { required: ({ target }) => containerErrors.MissingIpAddressPorts({}, { target }) }),
  dnsNameLabel: form('InvalidDnsNameLabel', LABEL),
  autoGeneratedDomainNameLabelScope: oneOf(LABEL_SCOPES, 'InvalidDomainNameLabelScope', { asSent: true }),
});

const LogAnalytics = object({
  workspaceId: text({ required: missing }),
  workspaceKey: text({ secret: true }),
  workspaceResourceId: text(),
  logType: oneOf(LOG_TYPES, 'InvalidLogType'),
  metadata: map(text()),
});

const Extension = object({
  name: text({ required: missing }),
  properties: object({
    extensionType: text(),
    version: text(),
    settings: json(),
    protectedSettings: json({ secret: true }),
  }),
});

const Identity = object({
  type: oneOf(IDENTITY_TYPES, 'InvalidIdentityType', { required: missing }),
  userAssignedIdentities: json(),
});

const RegistryCredential = object({
  server: form('InvalidImageRegistryServer', REGISTRY_SERVER, missing),
  username: text(),
  password: text({ secret: true }),
  passwordReference: text(),
  identity: text(),
  identityUrl: text(),
});

const SecretReference = object({
  name: text({ required: missing }),
  identity: text({ required: missing }),
  secretReferenceUri: text({ required: missing }),
});

const IdentityAcls = object({
  defaultAccess: oneOf(IDENTITY_ACCESSES, 'InvalidIdentityAccess'),
  acls: list(object({ identity: text(), access: oneOf(IDENTITY_ACCESSES, 'InvalidIdentityAccess') })),
});

/** Fields that container groups and container group profiles share. */
const PROFILE_FIELDS = {
  sku: oneOf(SKUS, 'InvalidSku'),
  priority: oneOf(PRIORITIES, 'InvalidPriority'),
  osType: oneOf(OS_TYPES, 'InvalidOsType', { required: missingOsType(OS_TYPES) }),
  restartPolicy: oneOf(RESTART_POLICIES, 'InvalidRestartPolicy'),
  containers: list(Container, { required: ({ target }) => containerErrors.ContainersNotSpecified({}, { target }) }),
  initContainers: list(InitContainer),
  volumes: list(Volume),
  imageRegistryCredentials: list(RegistryCredential),
  ipAddress: IpAddress,
  diagnostics: object({ logAnalytics: LogAnalytics }),
  encryptionProperties: object({
    vaultBaseUrl: text({ required: missing }),
    keyName: text({ required: missing }),
    keyVersion: text({ required: missing }),
    identity: text(),
  }),
  extensions: list(Extension),
  confidentialComputeProperties: object({ ccePolicy: policy() }),
  // References to external secrets are stored and shown; no vault is queried for them.
  secretReferences: list(SecretReference),
};

/** Fields that only groups have. */
const OWN_FIELDS = {
  dnsConfig: object({ nameServers: nameServers(), searchDomains: searchDomains(), options: dnsOptions() }),
  subnetIds: list(object({ id: form('VirtualNetworkNotFound', SUBNET_ID, missing), name: text() })),
  // Used by api-versions before `subnetIds`; stored and shown, without effect.
  networkProfile: object({ id: text({ required: missing }) }),
  identityAcls: IdentityAcls,
  containerGroupProfile: object({ id: text({ required: missing }), revision: atLeast(1, 'InvalidRevision') }),
  standbyPoolProfile: object({ id: text({ required: missing }), failContainerGroupCreateOnReuseFailure: boolean() }),
};

export const PROFILE_PROPERTIES = object(PROFILE_FIELDS, { implied: true });
export const GROUP_PROPERTIES = object({ ...PROFILE_FIELDS, ...OWN_FIELDS }, { implied: true });

const ZONES = entries('InvalidZone', /^[123]$/);

export const PROFILE = object({ zones: ZONES, properties: PROFILE_PROPERTIES });

export const GROUP = object({
  zones: ZONES,
  identity: Identity,
  properties: GROUP_PROPERTIES,
});

/** Drafts, in which every field may be missing: this is the type during validation and in the store. */
export type GroupBody = DraftOf<typeof GROUP>;
export type GroupPropertiesBody = DraftOf<typeof GROUP_PROPERTIES>;
export type ContainerBody = DraftOf<typeof Container>;
export type InitContainerBody = DraftOf<typeof InitContainer>;
export type RunBody = NonNullable<InitContainerBody['properties']>;
export type AmountsBody = DraftOf<typeof Limits>;
export type ProbeBody = DraftOf<typeof Probe>;
export type PortBody = DraftOf<typeof Port>;
export type VolumeBody = DraftOf<typeof Volume>;
export type SecurityContextBody = DraftOf<typeof SecurityContext>;
export type IdentityBody = DraftOf<typeof Identity>;
