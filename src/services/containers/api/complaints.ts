import { type Complaint, shown } from '../../../kernel/arm/body/index.ts';
import { containerErrors } from '../errors.ts';

/** Error messages about the fields of container groups. */

/** The rule that each kind of text must meet. */
export const RULES = {
  InvalidContainerGroupName:
    'it must be 1 to 63 lower-case letters, digits and hyphens, without a hyphen at either end',
  InvalidStandbyPoolName: 'it must be 3 to 24 letters, digits and hyphens, without a hyphen at either end',
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
  InvalidConfigMapKey: 'it must be the name of a file: letters, digits, hyphens, underscores and dots',
  InvalidSecretName: 'it must be the name of a file: letters, digits, hyphens, underscores and dots',
  VirtualNetworkNotFound: 'it must be the id of a subnet of a virtual network',
} as const;

export type TextCode = Exclude<
  keyof typeof RULES,
  'InvalidContainerGroupName' | 'InvalidStandbyPoolName' | 'InvalidSecretName' | 'InvalidConfigMapKey'
>;

export const badForm =
  (code: TextCode): Complaint =>
  ({ target, value }) =>
    containerErrors[code]({ value: shown(value), rule: RULES[code] }, { target });

export type WordCode =
  | 'InvalidOsType'
  | 'InvalidRestartPolicy'
  | 'InvalidSku'
  | 'InvalidPriority'
  | 'InvalidProtocol'
  | 'InvalidProbeScheme'
  | 'InvalidGpuSku'
  | 'InvalidIpAddressType'
  | 'InvalidDomainNameLabelScope'
  | 'InvalidLogType'
  | 'InvalidIdentityType'
  | 'InvalidIdentityAccess'
  | 'InvalidRefillPolicy';

/** Formats a list for use in a sentence. */
const inSentence = (list: readonly string[]): string => list.map((word) => `'${word}'`).join(' or ');

export const badWord =
  (code: WordCode, list: readonly string[]): Complaint =>
  ({ target, value }, expected) => {
    const words = inSentence(expected?.words ?? list);
    if (code === 'InvalidPriority' && String(value).trim() === '')
      return containerErrors.PriorityNotSpecified({ words }, { target });
    return containerErrors[code]({ value: shown(value), words }, { target });
  };

/** How the real service writes a missing value. */
const NOTHING = '<null>';

export const missing: Complaint = ({ target }) => containerErrors.MissingRequiredProperty({ at: target }, { target });

export const missingName =
  (code: 'InvalidContainerName' | 'InvalidVolumeName' | 'InvalidEnvironmentVariableName'): Complaint =>
  ({ target }) =>
    containerErrors[code]({ value: NOTHING, rule: RULES[code] }, { target });

export const missingOsType =
  (list: readonly string[]): Complaint =>
  ({ target }) =>
    containerErrors.InvalidOsType({ value: NOTHING, words: inSentence(list) }, { target });

export const missingAt =
  (code: 'ImageNotSpecified' | 'ResourceRequestsNotSpecified' | 'ResourceSomeRequestsNotSpecified'): Complaint =>
  ({ target }) =>
    containerErrors[code]({ at: target }, { target });

export const tooSmall =
  (
    code: 'InvalidProbeTiming' | 'InvalidResourceRequests' | 'InvalidUserId' | 'InvalidRevision',
    least: number,
  ): Complaint =>
  ({ target, value }) =>
    containerErrors[code]({ value: Number(value), at: target, least }, { target });
