import { shown } from '../../../../kernel/arm/body/index.ts';
import type { ApiError } from '../../../../kernel/http/index.ts';
import { containerErrors } from '../../errors.ts';
import { fromBase64 } from '../base64.ts';
import { RULES } from '../complaints.ts';
import type { ContainerBody, GroupBody, InitContainerBody, VolumeBody } from '../schema.ts';

const KINDS = ['azureFile', 'emptyDir', 'secret', 'secretReference', 'gitRepo'] as const;
const FILE_NAME = /^(?!\.{1,2}$)[\w.-]{1,253}$/;

export const wrongVolumes = (body: GroupBody): ApiError[] =>
  (body.properties?.volumes ?? []).flatMap((volume, index) => {
    const target = `properties.volumes[${index}]`;
    return [...wrongKind(volume, target), ...wrongSecrets(volume, target)];
  });

function wrongKind(volume: VolumeBody, target: string): ApiError[] {
  const kinds = KINDS.filter((kind) => volume[kind] !== undefined);
  if (kinds.length === 1) return [];
  const rule =
    kinds.length === 0
      ? `it must have one of ${KINDS.join(', ')}`
      : `it must be of one kind only, not ${kinds.join(' and ')}`;
  return [containerErrors.InvalidVolume({ value: shown(volume.name), rule }, { target })];
}

function wrongSecrets({ secret = {} }: VolumeBody, target: string): ApiError[] {
  return Object.entries(secret).flatMap(([name, value]) => {
    const at = { target: `${target}.secret.${shown(name)}` };
    if (!FILE_NAME.test(name))
      return [containerErrors.InvalidSecretName({ value: shown(name), rule: RULES.InvalidSecretName }, at)];
    return fromBase64(value) ? [] : [containerErrors.InvalidSecretValue({ name }, at)];
  });
}

/** The pairs of a config map become files, so their keys must be valid file names. */
export const wrongConfigMaps = (body: GroupBody): ApiError[] =>
  (body.properties?.containers ?? []).flatMap(({ properties }, index) =>
    Object.keys(properties?.configMap?.keyValuePairs ?? {}).flatMap((key) => {
      if (FILE_NAME.test(key)) return [];
      const target = `properties.containers[${index}].properties.configMap.keyValuePairs`;
      return [containerErrors.InvalidConfigMapKey({ value: shown(key), rule: RULES.InvalidConfigMapKey }, { target })];
    }),
  );

/**
 * Removes trailing slashes. Not a regular expression, because a long row of slashes elsewhere in the path would keep it busy for minutes.
 */
function withoutEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/' || path[end - 1] === '\\') end--;
  return path.slice(0, end);
}

/** Every mount must refer to an existing volume, and no two mounts may use the same path. */
export function wrongMounts(body: GroupBody): ApiError[] {
  const { containers = [], initContainers = [], volumes = [] } = body.properties ?? {};
  const known = new Set(volumes.map(({ name }) => name));
  const inList = (list: string, entries: readonly (ContainerBody | InitContainerBody)[]): ApiError[] =>
    entries.flatMap(({ name: container = '', properties }, index) => {
      const paths = new Set<string>();
      return (properties?.volumeMounts ?? []).flatMap(({ name, mountPath }, at) => {
        const target = `properties.${list}[${index}].properties.volumeMounts[${at}]`;
        const problems: ApiError[] = [];
        if (name && !known.has(name))
          problems.push(
            containerErrors.VolumeNotFound({ container, value: shown(name) }, { target: `${target}.name` }),
          );
        const path = mountPath && withoutEnd(mountPath);
        if (path && paths.has(path))
          problems.push(containerErrors.DuplicateMountPath({ value: shown(path) }, { target: `${target}.mountPath` }));
        if (path) paths.add(path);
        return problems;
      });
    });
  return [...inList('containers', containers), ...inList('initContainers', initContainers)];
}
