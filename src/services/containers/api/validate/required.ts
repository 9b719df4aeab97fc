import type { ApiError } from '../../../../kernel/http/errors.ts';
import { containerErrors } from '../../errors.ts';
import { type GroupBody, OS_TYPES } from '../schema.ts';
import { RULES } from './names.ts';
import { mistakesAt } from './paths.ts';
import { words } from './words.ts';

type Missing = (at: string) => ApiError;

const missing: Missing = (at) => containerErrors.MissingRequiredProperty({ at }, { target: at });
const noName =
  (code: 'InvalidContainerName' | 'InvalidVolumeName' | 'InvalidEnvironmentVariableName'): Missing =>
  (at) =>
    containerErrors[code]({ value: NOTHING, rule: RULES[code] }, { target: at });

/** How the real service writes a value that is not there. */
const NOTHING = '<null>';

const CONTAINER = 'properties.containers[]';
const INIT = 'properties.initContainers[]';

/** What has to be there, and neither empty text nor an empty list. In the order in which it is told. */
const REQUIRED: readonly (readonly [path: string, error: Missing])[] = [
  [
    'properties.osType',
    (at) => containerErrors.InvalidOsType({ value: NOTHING, words: words(OS_TYPES) }, { target: at }),
  ],
  ['properties.containers', (at) => containerErrors.ContainersNotSpecified({}, { target: at })],
  ...[CONTAINER, INIT].flatMap((at): [string, Missing][] => [
    [`${at}.name`, noName('InvalidContainerName')],
    [`${at}.properties.image`, (target) => containerErrors.ImageNotSpecified({ at: target }, { target })],
    [`${at}.properties.environmentVariables[].name`, noName('InvalidEnvironmentVariableName')],
    [`${at}.properties.volumeMounts[].name`, missing],
    [`${at}.properties.volumeMounts[].mountPath`, missing],
  ]),
  [
    `${CONTAINER}.properties.resources.requests`,
    (at) => containerErrors.ResourceRequestsNotSpecified({ at }, { target: at }),
  ],
  ...['cpu', 'memoryInGB'].map((amount): [string, Missing] => [
    `${CONTAINER}.properties.resources.requests?.${amount}`,
    (at) => containerErrors.ResourceSomeRequestsNotSpecified({ at }, { target: at }),
  ]),
  ...['requests', 'limits'].flatMap((amounts): [string, Missing][] => [
    [`${CONTAINER}.properties.resources.${amounts}?.gpu?.count`, missing],
    [`${CONTAINER}.properties.resources.${amounts}?.gpu?.sku`, missing],
  ]),
  [`${CONTAINER}.properties.ports[].port`, missing],
  ...['livenessProbe', 'readinessProbe'].flatMap((probe): [string, Missing][] => [
    [`${CONTAINER}.properties.${probe}?.exec?.command`, missing],
    [`${CONTAINER}.properties.${probe}?.httpGet?.port`, missing],
    [`${CONTAINER}.properties.${probe}?.httpGet?.httpHeaders[].name`, missing],
  ]),
  ['properties.volumes[].name', noName('InvalidVolumeName')],
  ['properties.volumes[].azureFile?.shareName', missing],
  ['properties.volumes[].azureFile?.storageAccountName', missing],
  ['properties.volumes[].gitRepo?.repository', missing],
  ['properties.imageRegistryCredentials[].server', missing],
  ['properties.ipAddress?.type', missing],
  ['properties.ipAddress?.ports', (at) => containerErrors.MissingIpAddressPorts({}, { target: at })],
  ['properties.ipAddress?.ports[].port', missing],
  ['properties.dnsConfig?.nameServers', missing],
  ['properties.subnetIds[].id', missing],
  ['properties.diagnostics?.logAnalytics?.workspaceId', missing],
  ['properties.encryptionProperties?.vaultBaseUrl', missing],
  ['properties.encryptionProperties?.keyName', missing],
  ['properties.encryptionProperties?.keyVersion', missing],
  ['properties.extensions[].name', missing],
  ['identity?.type', missing],
];

export const requiredFields = (body: GroupBody): ApiError[] =>
  REQUIRED.flatMap(([path, error]) =>
    mistakesAt(body, path, ({ target, value }) => (isEmpty(value) ? error(target) : undefined)),
  );

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
