import type { ApiError } from '../../../../kernel/http/errors.ts';
import { isObject } from '../../../../kernel/values/objects.ts';
import { containerErrors } from '../../errors.ts';
import { fromBase64 } from '../base64.ts';
import type { GroupBody, ProbeBody } from '../schema.ts';
import { placesOf } from './paths.ts';
import { shown } from './shown.ts';

type DuplicateCode = 'DuplicateContainerName' | 'DuplicateVolumeName' | 'DuplicateImageRegistryServer';

/** What may be there once in a group; init containers share their names with the others. */
const UNIQUE: readonly (readonly [paths: readonly string[], code: DuplicateCode])[] = [
  [['properties.containers[].name', 'properties.initContainers[].name'], 'DuplicateContainerName'],
  [['properties.volumes[].name'], 'DuplicateVolumeName'],
  [['properties.imageRegistryCredentials[].server'], 'DuplicateImageRegistryServer'],
];

export const duplicates = (body: GroupBody): ApiError[] =>
  UNIQUE.flatMap(([paths, code]) => {
    const seen = new Set<string>();
    return paths
      .flatMap((path) => placesOf(body, path))
      .flatMap(({ target, value }) => {
        if (typeof value !== 'string' || value === '') return [];
        const again = seen.has(value.toLowerCase());
        seen.add(value.toLowerCase());
        return again ? [containerErrors[code]({ value: shown(value) }, { target })] : [];
      });
  });

export const wrongProbes = (body: GroupBody): ApiError[] =>
  ['livenessProbe', 'readinessProbe'].flatMap((probe) =>
    placesOf(body, `properties.containers[].properties.${probe}?`).flatMap(({ target, value }) => {
      const { exec, httpGet, successThreshold } = value as ProbeBody;
      const problem = (rule: string, at = target): ApiError =>
        containerErrors.InvalidProbe({ at: target, rule }, { target: at });
      if (!exec && !httpGet) return [problem('it must have exec or httpGet')];
      if (exec && httpGet) return [problem('it must have either exec or httpGet, not both')];
      // One success proves that a process lives; there is nothing to wait for.
      if (probe === 'livenessProbe' && successThreshold !== undefined && successThreshold > 1)
        return [problem('the success threshold of a liveness probe must be 1', `${target}.successThreshold`)];
      return [];
    }),
  );

const RUN = ['properties.containers[].properties', 'properties.initContainers[].properties'];

export const wrongSeccompProfiles = (body: GroupBody): ApiError[] =>
  RUN.flatMap((run) => placesOf(body, `${run}.securityContext?.seccompProfile?`)).flatMap(({ target, value }) => {
    const bytes = fromBase64(value as string);
    const rule = bytes ? 'it must be a JSON object, in base64' : 'it must be base64';
    return bytes && isJsonObject(bytes.toString('utf8'))
      ? []
      : [containerErrors.InvalidSeccompProfile({ rule }, { target })];
  });

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value);
  } catch {
    return false;
  }
}

const MOST_POLICY_BYTES = 120 * 1024;

export const wrongPolicies = (body: GroupBody): ApiError[] =>
  placesOf(body, 'properties.confidentialComputeProperties?.ccePolicy?').flatMap(({ target, value }) => {
    const policy = value as string;
    const rule = fromBase64(policy)
      ? policy.length > MOST_POLICY_BYTES && `it must have at most ${MOST_POLICY_BYTES} characters`
      : 'it must be base64';
    return rule ? [containerErrors.InvalidCcePolicy({ rule }, { target })] : [];
  });
