import { errorTable } from '../../kernel/http/index.ts';

/** Everything that is particular to container groups and can be refused. */
export const containerErrors = errorTable({
  // states
  ContainerGroupTransitioning: [
    409,
    "The container group '{name}' is still transitioning ({what}); try again when that is done.",
  ],
  ContainerNotFound: [404, "The container group '{group}' has no container '{container}'."],
  ContainerLogNotAvailable: [404, "The container '{container}' has not run yet, so that there is no log of it."],
  ContainerNotRunning: [409, "The container '{container}' is not running."],
  ContainerEngineUnavailable: [503, 'The container engine does not answer: {reason}; try again.'],
  InvalidExecCommand: [
    400,
    "The command '{command}' is not valid: it is the name of one program, without arguments or blanks; run a shell to give more.",
  ],
  SessionNotFound: [404, "There is no session '{session}': it was used already, or not within a minute."],
  InvalidContainerGroupUpdate: [
    400,
    "The container group '{name}' runs, and {what} cannot be changed while it does; delete it and create it again.",
  ],

  // how many, how often
  ContainerGroupQuotaReached: [
    400,
    "The quota '{quota}' is reached in region '{region}'. Limit: {limit}, usage: {usage}, requested: {requested}.",
  ],
  ResourceRequestsThrottled: [
    429,
    "There were too many requests to {operation} container groups in the subscription '{subscription}'. Try again in {seconds} seconds.",
  ],
  ServiceUnavailable: [
    409,
    "What is requested is not available in the location '{location}': {requested}. There it may be at most {most}.",
  ],
  TooManyContainers: [400, 'There are {count} containers, init containers included; there may be at most {most}.'],
  TooManyInitContainers: [400, "There are {count} entries in '{at}'; there may be at most {most}."],
  TooManyVolumes: [400, "There are {count} entries in '{at}'; there may be at most {most}."],
  TooManyIpAddressPorts: [400, "There are {count} entries in '{at}'; there may be at most {most}."],
  TooManyEntries: [400, "There are {count} entries in '{at}'; there may be at most {most}."],

  // what has to be there
  MissingRequiredProperty: [400, "The property '{at}' is required."],
  ContainersNotSpecified: [400, 'A container group needs at least one container.'],
  ImageNotSpecified: [400, "The container at '{at}' has no image."],
  ResourceRequestsNotSpecified: [400, "The resource requests at '{at}' are missing."],
  ResourceSomeRequestsNotSpecified: [400, "The resource request at '{at}' is missing: both cpu and memory are needed."],
  MissingIpAddressPorts: [400, 'The IP address has no ports; it needs at least one.'],

  // words out of a list
  InvalidOsType: [400, "The OS type '{value}' is not valid; it must be {words}."],
  InvalidRestartPolicy: [400, "The restart policy '{value}' is not valid; it must be {words}."],
  InvalidSku: [400, "The sku '{value}' is not valid; it must be {words}."],
  InvalidPriority: [400, "The priority '{value}' is not valid; it must be {words}."],
  PriorityNotSpecified: [400, 'The priority is empty; it must be {words}, or be left out.'],
  InvalidProtocol: [400, "The protocol '{value}' is not valid; it must be {words}."],
  InvalidProbeScheme: [400, "The scheme '{value}' is not valid; it must be {words}."],
  InvalidGpuSku: [400, "The GPU sku '{value}' is not valid; it must be {words}."],
  InvalidIpAddressType: [400, "The IP address type '{value}' is not valid; it must be {words}."],
  InvalidDomainNameLabelScope: [400, "The label scope '{value}' is not valid; it must be {words}."],
  InvalidLogType: [400, "The log type '{value}' is not valid; it must be {words}."],
  InvalidIdentityType: [400, "The identity type '{value}' is not valid; it must be {words}."],

  // names and other texts
  InvalidContainerGroupName: [400, "The container group name '{value}' is not valid: {rule}."],
  InvalidContainerName: [400, "The container name '{value}' is not valid: {rule}."],
  InvalidVolumeName: [400, "The volume name '{value}' is not valid: {rule}."],
  InvalidEnvironmentVariableName: [400, "The environment variable name '{value}' is not valid: {rule}."],
  InvalidDnsNameLabel: [400, "The DNS name label '{value}' is not valid: {rule}."],
  InvalidImage: [400, "The image '{value}' is not valid: {rule}."],
  InvalidMountPath: [400, "The mount path '{value}' is not valid: {rule}."],
  InvalidShareName: [400, "The share name '{value}' is not valid: {rule}."],
  InvalidStorageAccountName: [400, "The storage account name '{value}' is not valid: {rule}."],
  InvalidGitRepository: [400, "The repository '{value}' is not valid: {rule}."],
  InvalidGitRepositoryDirectory: [400, "The directory '{value}' is not valid: {rule}."],
  InvalidGitRepositoryRevision: [400, "The revision '{value}' is not valid: {rule}."],
  InvalidImageRegistryServer: [400, "The image registry server '{value}' is not valid: {rule}."],
  InvalidCapability: [400, "The capability '{value}' is not valid: {rule}."],
  InvalidZone: [400, "The zone '{value}' is not valid: {rule}."],
  InvalidDnsConfiguration: [400, "The DNS setting '{value}' is not valid: {rule}."],
  InvalidHttpHeader: [400, "The header '{value}' is not valid: {rule}."],
  InvalidProbePath: [400, "The path '{value}' is not valid: {rule}."],
  VirtualNetworkNotFound: [400, "The subnet '{value}' was not found: {rule}."],
  InvalidText: [400, "The text at '{at}' has a character that no program can be given (U+0000)."],
  InvalidSecretName: [400, "The name '{value}' of a secret is not valid: {rule}."],
  InvalidSecretValue: [400, "The value of the secret '{name}' is not base64."],
  InvalidCcePolicy: [400, 'The confidential compute enforcement policy is not valid: {rule}.'],
  InvalidSeccompProfile: [400, 'The seccomp profile is not valid: {rule}.'],

  // numbers
  InvalidPort: [400, 'The port {value} is not valid: it must be from 1 to 65535 and not be reserved ({reserved}).'],
  InvalidProbe: [400, "The probe at '{at}' is not valid: {rule}."],
  InvalidProbeTiming: [400, "The value {value} of '{at}' is not valid: it must be at least {least}."],
  InvalidResourceRequests: [400, "The value {value} of '{at}' is not valid: it must be at least {least}."],
  InvalidGpuCount: [400, 'The GPU count {value} is not valid: it must be 1, 2 or 4.'],
  InvalidUserId: [400, "The value {value} of '{at}' is not valid: it must be at least {least}."],

  // what does not go together
  DuplicateContainerName: [400, "The container name '{value}' is used more than once in the group."],
  DuplicateVolumeName: [400, "The volume name '{value}' is used more than once in the group."],
  DuplicateContainerPort: [400, 'The port {value} is exposed more than once in the group; one container can have it.'],
  DuplicateMountPath: [400, "The mount path '{value}' is used more than once in the container."],
  DuplicateImageRegistryServer: [400, "There is more than one credential for the image registry server '{value}'."],
  InvalidIpAddressPorts: [400, 'The port {value} of the IP address is not valid: {rule}.'],
  VolumeNotFound: [400, "The container '{container}' mounts the volume '{value}', which the group does not have."],
  InvalidVolume: [400, "The volume '{value}' is not valid: {rule}."],
  ResourceLimitsLessThanRequests: [400, "The limit {limit} at '{at}' is less than the request {request}."],
  ContainerLimitGreaterThanGroupTotal: [
    400,
    "The limit {limit} at '{at}' is greater than what the whole group requests, {total}.",
  ],
  MixedGpuSkus: [400, "The containers of a group must have GPUs of one sku, not both '{first}' and '{second}'."],
  MultipleContainersNotSupportedOnWindows: [400, 'A group of several containers is supported on Linux only.'],
  SpotPriorityContainerGroupNotSupportedInSku: [400, "The priority Spot is not supported with the sku '{sku}'."],
  SpotPriorityContainerGroupNotSupportedForInboundConnectivity: [
    400,
    'A group of priority Spot cannot have an IP address.',
  ],
  SpotPriorityContainerGroupWithGPUResourcesNotSupported: [400, 'A group of priority Spot cannot have GPUs.'],
  ConfidentialContainerGroupSkuIsNotSupported: [400, 'The sku Confidential is not supported together with {what}.'],
  InvalidIdentityValues: [400, 'The identity is not valid: {rule}.'],
  InvalidImageRegistryIdentity: [400, "The identity '{value}' is not among the user-assigned identities of the group."],
  MissingImageRegistryCredential: [
    400,
    "The credential for '{server}' needs a user name and a password, or an identity.",
  ],
  MissingWorkspaceKey: [400, "The key of the workspace '{workspace}' is missing."],
  PrivilegedContainerNotAllowed: [
    400,
    "The container '{container}' asks for {what}, which this jar does not grant (see allowPrivileged in its settings).",
  ],
  DnsNameLabelAlreadyTaken: [409, "The DNS name label '{label}' is already taken in region '{region}'."],
});
