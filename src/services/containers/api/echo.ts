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

/** How a group is stored and shown: as it was sent, without its secrets, with what the service fills in. */
export function echoOf(properties: GroupPropertiesBody): Resource['properties'] {
  const { sku = 'Standard', containers = [], initContainers = [] } = properties;
  return plainEchoOf({
    ...properties,
    sku,
    containers: containers.map((it) => filled(it, { ports: it.properties?.ports ?? [] })),
    initContainers: initContainers.map((it) => filled(it, {})),
  });
}

/** The same with nothing filled in but the policy of a confidential one, as profiles are. */
export function plainEchoOf(properties: GroupPropertiesBody): Resource['properties'] {
  const { shown } = takeSecrets(GROUP_PROPERTIES, properties);
  // A pool names a way of making the group, and is no part of it.
  const { standbyPoolProfile: _, confidentialComputeProperties: sent, volumes, ...plain } = shown;
  const policy = shown.sku === 'Confidential' ? { ccePolicy: ALLOW_ALL_POLICY, ...sent } : sent;
  return asJson({
    ...plain,
    ...(policy && { confidentialComputeProperties: policy }),
    ...(volumes && { volumes: volumes.map(echoVolume) }),
  });
}

/** The properties of a stored group, taken for what `echoOf` made of them: nothing else writes any. */
export const storedGroup = ({ properties }: Pick<Resource, 'properties'>): GroupPropertiesBody =>
  properties as GroupPropertiesBody;

function filled<T extends ContainerBody | InitContainerBody>(
  container: T,
  more: Partial<ContainerBody['properties']>,
): T {
  const environmentVariables = container.properties?.environmentVariables ?? [];
  return { ...container, properties: { ...container.properties, ...more, environmentVariables } };
}

/** An empty folder has no properties, whatever was sent. */
const echoVolume = (volume: VolumeBody): VolumeBody => ({ ...volume, ...(volume.emptyDir && { emptyDir: {} }) });
