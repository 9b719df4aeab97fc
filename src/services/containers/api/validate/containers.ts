import { shown } from '../../../../kernel/arm/body/index.ts';
import type { ApiError } from '../../../../kernel/http/index.ts';
import { containerErrors } from '../../errors.ts';
import type { GroupBody } from '../schema.ts';

type DuplicateCode = 'DuplicateContainerName' | 'DuplicateVolumeName' | 'DuplicateImageRegistryServer';

/** Errors for names that must be unique in a group. Init containers and containers share one set of names. */
export function duplicates({ properties = {} }: GroupBody): ApiError[] {
  const { containers = [], initContainers = [], volumes = [], imageRegistryCredentials = [] } = properties;
  const names = (list: string, of: readonly { readonly name?: string }[]): Named[] =>
    of.map(({ name }, index) => [`properties.${list}[${index}].name`, name]);
  const servers = imageRegistryCredentials.map(
    ({ server }, index): Named => [`properties.imageRegistryCredentials[${index}].server`, server],
  );
  return [
    ...repeated(
      [...names('containers', containers), ...names('initContainers', initContainers)],
      'DuplicateContainerName',
    ),
    ...repeated(names('volumes', volumes), 'DuplicateVolumeName'),
    ...repeated(servers, 'DuplicateImageRegistryServer'),
  ];
}

type Named = readonly [target: string, value: string | undefined];

function repeated(named: readonly Named[], code: DuplicateCode): ApiError[] {
  const seen = new Set<string>();
  return named.flatMap(([target, value]) => {
    if (!value) return [];
    const again = seen.has(value.toLowerCase());
    seen.add(value.toLowerCase());
    return again ? [containerErrors[code]({ value: shown(value) }, { target })] : [];
  });
}

export const wrongProbes = ({ properties }: GroupBody): ApiError[] =>
  (['livenessProbe', 'readinessProbe'] as const).flatMap((kind) =>
    (properties?.containers ?? []).flatMap(({ properties: run }, index) => {
      const probe = run?.[kind];
      if (!probe) return [];
      const { exec, httpGet, successThreshold } = probe;
      const target = `properties.containers[${index}].properties.${kind}`;
      const problem = (rule: string, at = target): ApiError =>
        containerErrors.InvalidProbe({ at: target, rule }, { target: at });
      if (!exec && !httpGet) return [problem('it must have exec or httpGet')];
      if (exec && httpGet) return [problem('it must have either exec or httpGet, not both')];
      // One success proves that a process lives; a higher threshold makes no sense.
      if (kind === 'livenessProbe' && successThreshold !== undefined && successThreshold > 1)
        return [problem('the success threshold of a liveness probe must be 1', `${target}.successThreshold`)];
      return [];
    }),
  );
