import { asJson, takeSecrets } from '../../../kernel/arm/body/index.ts';
import type { Resource } from '../../../kernel/arm/index.ts';
import { ALLOW_ALL_POLICY } from './allow-all-policy.ts';
import {
  type ContainerBody,
  GROUP_PROPERTIES,
  type GroupPropertiesBody,
  type InitContainerBody,
  type VolumeBody,
} from './schema.ts';

/** The stored and shown form of a group: the properties of the request, without secrets, with the service's defaults. */
export function echoOf(properties: GroupPropertiesBody): Resource['properties'] {
  const { sku = 'Standard', containers = [], initContainers = [] } = properties;
  return plainEchoOf({
    ...properties,
    sku,
    containers: containers.map((it) => filled(it, { ports: it.properties?.ports ?? [] })),
    initContainers: initContainers.map((it) => filled(it, {})),
  });
}

/** The same without defaults, except the policy of a confidential group. Profiles are stored like this. */
export function plainEchoOf(properties: GroupPropertiesBody): Resource['properties'] {
  const { shown } = takeSecrets(GROUP_PROPERTIES, properties);
  // The pool profile says how to create the group and is not part of the group.
  const { standbyPoolProfile: _, confidentialComputeProperties: sent, volumes, ...plain } = shown;
  const policy = shown.sku === 'Confidential' ? { ccePolicy: ALLOW_ALL_POLICY, ...sent } : sent;
  return asJson({
    ...plain,
    ...(policy && { confidentialComputeProperties: policy }),
    ...(volumes && { volumes: volumes.map(echoVolume) }),
  });
}

/** The properties of a stored group, typed as the result of `echoOf`, which is the only code that writes them. */
export const storedGroup = ({ properties }: Pick<Resource, 'properties'>): GroupPropertiesBody =>
  properties as GroupPropertiesBody;

function filled<T extends ContainerBody | InitContainerBody>(
  container: T,
  more: Partial<ContainerBody['properties']>,
): T {
  const environmentVariables = container.properties?.environmentVariables ?? [];
  return { ...container, properties: { ...container.properties, ...more, environmentVariables } };
}

/** An `emptyDir` is stored without properties, whatever was sent. */
const echoVolume = (volume: VolumeBody): VolumeBody => ({ ...volume, ...(volume.emptyDir && { emptyDir: {} }) });
