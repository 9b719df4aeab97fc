import { asJson, takeSecrets } from '../../../kernel/arm/body/index.ts';
import type { Resource } from '../../../kernel/arm/index.ts';
import {
  type ContainerBody,
  GROUP_PROPERTIES,
  type GroupPropertiesBody,
  type InitContainerBody,
  type VolumeBody,
} from './schema.ts';

/** How a group is stored and shown: as it was sent, without its secrets, with what the service fills in. */
export function echoOf(properties: GroupPropertiesBody): Resource['properties'] {
  const { shown } = takeSecrets(GROUP_PROPERTIES, properties);
  const { sku = 'Standard', containers = [], initContainers = [], ...rest } = shown;
  const { volumes, imageRegistryCredentials, diagnostics, extensions, ...plain } = rest;
  return asJson({
    sku,
    ...plain,
    containers: containers.map(echoContainer),
    initContainers: initContainers.map(echoContainer),
    ...(volumes && { volumes: volumes.map(echoVolume) }),
    ...(imageRegistryCredentials && { imageRegistryCredentials }),
    ...(diagnostics && { diagnostics }),
    ...(extensions && { extensions }),
  });
}

/** The properties of a stored group, taken for what `echoOf` made of them: nothing else writes any. */
export const storedGroup = ({ properties }: Pick<Resource, 'properties'>): GroupPropertiesBody =>
  properties as GroupPropertiesBody;

function echoContainer<T extends ContainerBody | InitContainerBody>(container: T): T {
  const environmentVariables = container.properties?.environmentVariables ?? [];
  return { ...container, properties: { ...container.properties, environmentVariables } };
}

/** An empty folder has no properties, whatever was sent. */
const echoVolume = (volume: VolumeBody): VolumeBody => ({ ...volume, ...(volume.emptyDir && { emptyDir: {} }) });
