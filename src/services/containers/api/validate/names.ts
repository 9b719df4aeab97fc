import { isIP } from 'node:net';
import type { ApiError } from '../../../../kernel/http/errors.ts';
import { containerErrors } from '../../errors.ts';
import type { GroupBody } from '../schema.ts';
import { mistakesAt } from './paths.ts';
import { shown } from './shown.ts';

/** What each kind of text must be, as it is told to whom it is not. */
export const RULES = {
  InvalidContainerGroupName:
    'it must be 1 to 63 lower-case letters, digits and hyphens, without a hyphen at either end',
  InvalidContainerName: 'it must be 1 to 63 lower-case letters, digits and hyphens, without a hyphen at either end',
  InvalidDnsNameLabel: 'it must be 5 to 63 lower-case letters, digits and hyphens, without a hyphen at either end',
  InvalidVolumeName:
    'it must be 5 to 63 lower-case letters, digits and hyphens, without a hyphen at either end or two in a row',
  InvalidEnvironmentVariableName: 'it must be 1 to 63 letters, digits and underscores',
  InvalidImage: 'it must be 1 to 1024 characters without blanks, and must not begin with a hyphen',
  InvalidMountPath:
    'it must be an absolute path of at most 1024 characters, without a colon and without the parts . and ..',
  InvalidShareName:
    'it must be 3 to 63 lower-case letters, digits and hyphens, without a hyphen at either end or two in a row',
  InvalidStorageAccountName: 'it must be 3 to 24 lower-case letters and digits',
  InvalidGitRepository: 'it must be an address of the scheme https, http, git, ssh or file, of at most 2048 characters',
  InvalidGitRepositoryDirectory: 'it must be a relative path of at most 1024 characters without the part ..',
  InvalidGitRepositoryRevision: 'it must be a commit, a tag or a branch',
  InvalidImageRegistryServer: 'it must be a host name without a scheme',
  InvalidCapability: 'it must be the name of a Linux capability',
  InvalidZone: 'it must be 1, 2 or 3',
  InvalidHttpHeader: 'it must be a header name and a value in one line',
  InvalidProbePath: 'it must be a path in one line without blanks',
  InvalidSecretName: 'it must be the name of a file: letters, digits, hyphens, underscores and dots',
  VirtualNetworkNotFound: 'it must be the id of a subnet of a virtual network',
} as const;

type TextCode = Exclude<keyof typeof RULES, 'InvalidContainerGroupName' | 'InvalidSecretName'>;

export const GROUP_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const LABEL = /^[a-z0-9][a-z0-9-]{3,61}[a-z0-9]$/;
const VOLUME_NAME = /^(?!.*--)[a-z0-9][a-z0-9-]{3,61}[a-z0-9]$/;
const SHARE_NAME = /^(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
const RUN = ['properties.containers[]', 'properties.initContainers[]'] as const;
const PROBE = ['livenessProbe', 'readinessProbe'].map((probe) => `properties.containers[].properties.${probe}?`);

const inEach = (places: readonly string[], rest: string, code: TextCode, pattern: RegExp) =>
  places.map((place) => [`${place}.${rest}`, code, pattern] as const);

/** The form of texts. An empty one that has to be there is told as missing. */
const TEXTS: readonly (readonly [path: string, code: TextCode, pattern: RegExp])[] = [
  ...inEach(RUN, 'name', 'InvalidContainerName', GROUP_NAME),
  ...inEach(RUN, 'properties.image', 'InvalidImage', /^[^\s-][^\s]{0,1023}$/),
  ...inEach(RUN, 'properties.environmentVariables[].name', 'InvalidEnvironmentVariableName', /^\w{1,63}$/),
  // No mark of a drive either: what a colon separates is read as two paths.
  ...inEach(
    RUN,
    'properties.volumeMounts[].mountPath',
    'InvalidMountPath',
    /^[/\\](?![/\\]*$)(?!(.*[/\\])?\.{1,2}([/\\]|$))[^:\p{Cc}]{1,1023}$/su,
  ),
  ...inEach(RUN, 'properties.securityContext?.capabilities?.add[]', 'InvalidCapability', /^[A-Za-z_]{2,40}$/),
  ...inEach(RUN, 'properties.securityContext?.capabilities?.drop[]', 'InvalidCapability', /^[A-Za-z_]{2,40}$/),
  ...inEach(PROBE, 'httpGet?.path', 'InvalidProbePath', /^[\x21-\x7e]*$/),
  ...inEach(PROBE, 'httpGet?.httpHeaders[].name', 'InvalidHttpHeader', /^[\w!#$%&'*+.^`|~-]{1,256}$/),
  ...inEach(PROBE, 'httpGet?.httpHeaders[].value', 'InvalidHttpHeader', /^[\t\x20-\x7e\x80-\xff]*$/),
  ['properties.volumes[].name', 'InvalidVolumeName', VOLUME_NAME],
  ['properties.volumes[].azureFile?.shareName', 'InvalidShareName', SHARE_NAME],
  ['properties.volumes[].azureFile?.storageAccountName', 'InvalidStorageAccountName', /^[a-z0-9]{3,24}$/],
  [
    'properties.volumes[].gitRepo?.repository',
    'InvalidGitRepository',
    /^(?=.{1,2048}$)((https?|git|ssh|file):\/\/[^\s-][^\s]*|[\w.][\w.-]*@[\w.][\w.-]*:[^\s-][^\s]*)$/i,
  ],
  [
    'properties.volumes[].gitRepo?.directory',
    'InvalidGitRepositoryDirectory',
    /^(?![/\\-])(?!(.*[/\\])?\.\.([/\\]|$))[^:\p{Cc}]{0,1024}$/su,
  ],
  ['properties.volumes[].gitRepo?.revision', 'InvalidGitRepositoryRevision', /^(?!.*\.\.)[\w][\w./-]{0,254}$/],
  [
    'properties.imageRegistryCredentials[].server',
    'InvalidImageRegistryServer',
    /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?(\/[\w./-]*)?$/i,
  ],
  ['properties.ipAddress?.dnsNameLabel', 'InvalidDnsNameLabel', LABEL],
  [
    'properties.subnetIds[].id',
    'VirtualNetworkNotFound',
    /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/[^/]+\.Network\/virtualNetworks\/[^/]+\/subnets\/[^/]+$/i,
  ],
  ['zones[]', 'InvalidZone', /^[123]$/],
];

export const wrongTexts = (body: GroupBody): ApiError[] =>
  TEXTS.flatMap(([path, code, pattern]) =>
    mistakesAt(body, path, ({ target, value }) =>
      typeof value !== 'string' || (value === '' && !path.endsWith('[]')) || pattern.test(value)
        ? undefined
        : containerErrors[code]({ value: shown(value), rule: RULES[code] }, { target }),
    ),
  );

/** What goes into a container's `resolv.conf`, word by word. */
const DNS_WORDS: readonly (readonly [path: string, rule: string, fits: (word: string) => boolean])[] = [
  ['properties.dnsConfig?.nameServers[]', 'it must be an IP address', (word) => isIP(word) !== 0],
  [
    'properties.dnsConfig?.searchDomains',
    'it must be domain names with blanks between them',
    (word) => /^[\w]([\w.-]{0,252})$/.test(word),
  ],
  [
    'properties.dnsConfig?.options',
    'it must be options such as ndots:2 with blanks between them',
    (word) => /^[\w-]{1,60}(:\d{1,5})?$/.test(word),
  ],
];

export const wrongDnsSettings = (body: GroupBody): ApiError[] =>
  DNS_WORDS.flatMap(([path, rule, fits]) =>
    mistakesAt(body, path, ({ target, value }) => {
      if (typeof value !== 'string') return undefined;
      const given = path.endsWith('[]') ? [value] : value.split(' ').filter(Boolean);
      if (given.every(fits)) return undefined;
      return containerErrors.InvalidDnsConfiguration({ value: shown(value), rule }, { target });
    }),
  );
