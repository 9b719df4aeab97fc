import type { Resource } from '../../../kernel/arm/collections.ts';
import { without } from '../../../kernel/values/objects.ts';
import type { ContainerBody, GroupPropertiesBody, InitContainerBody, VolumeBody } from './schema.ts';

/** How a group is stored and shown: as it was sent, without its secrets, with what the service fills in. */
export function echoOf(properties: GroupPropertiesBody): Resource['properties'] {
  const { sku = 'Standard', containers = [], initContainers = [], ...rest } = properties;
  const { volumes, imageRegistryCredentials, diagnostics, extensions, ...plain } = rest;
  const workspace = diagnostics?.logAnalytics;
  const echo = {
    sku,
    ...plain,
    containers: containers.map(echoContainer),
    initContainers: initContainers.map(echoContainer),
    ...(volumes && { volumes: volumes.map(echoVolume) }),
    ...(imageRegistryCredentials && {
      imageRegistryCredentials: imageRegistryCredentials.map((it) => without(it, 'password')),
    }),
    ...(diagnostics && {
      diagnostics: { ...(workspace && { logAnalytics: without(workspace, 'workspaceKey') }) },
    }),
    ...(extensions && {
      extensions: extensions.map((it) => ({
        ...it,
        ...(it.properties && { properties: without(it.properties, 'protectedSettings') }),
      })),
    }),
  };
  return echo as unknown as Resource['properties'];
}

function echoContainer<T extends ContainerBody | InitContainerBody>(container: T): T {
  const variables = container.properties?.environmentVariables ?? [];
  const environmentVariables = variables.map((it) => without(it, 'secureValue'));
  return { ...container, properties: { ...container.properties, environmentVariables } };
}

function echoVolume(volume: VolumeBody): VolumeBody {
  const { azureFile, secret, emptyDir, ...rest } = volume;
  return {
    ...rest,
    ...(azureFile && { azureFile: without(azureFile, 'storageAccountKey') }),
    ...(secret && { secret: {} }),
    ...(emptyDir && { emptyDir: {} }),
  };
}
