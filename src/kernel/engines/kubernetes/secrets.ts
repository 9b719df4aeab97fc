import type { V1EnvVar, V1LocalObjectReference, V1Secret } from '@kubernetes/client-node';
import type { ContainerPlan, RegistryLogin } from '../plan.ts';
import { type Deployment, metadataOf, partName } from './names.ts';

/** Key of logins for Docker Hub, whichever of its names an image uses. */
const DOCKER_HUB = 'https://index.docker.io/v1/';
const DOCKER_HUB_NAMES: ReadonlySet<string> = new Set([
  'docker.io',
  'index.docker.io',
  'registry-1.docker.io',
  'registry.hub.docker.com',
]);

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

export function secretOf(
  deployment: Deployment,
  part: string,
  data: Readonly<Record<string, string>>,
  type = 'Opaque',
): V1Secret {
  const name = partName(deployment.plan.uid, deployment.generation, part);
  return { apiVersion: 'v1', kind: 'Secret', metadata: metadataOf(deployment, name), type, immutable: true, data };
}

/**
 * All variables of a container are stored in a Secret: a plan does not mark which ones are secret, and Kubernetes would expand `$(NAME)` in
 * values that are in the Pod itself.
 */
export function environmentOf(
  deployment: Deployment,
  { name, env }: ContainerPlan,
): { env: V1EnvVar[]; secret: V1Secret } | undefined {
  if (env.length === 0) return undefined;
  // If a name occurs twice, the last value wins.
  const values = new Map(env.map((it) => [it.name, it.value]));
  const keys = [...values.keys()];
  const secret = secretOf(
    deployment,
    `env-${name}`,
    Object.fromEntries(keys.map((key) => [key, base64(values.get(key)!)])),
  );
  return {
    secret,
    env: keys.map((key) => ({
      name: key,
      valueFrom: { secretKeyRef: { name: secret.metadata!.name!, key } },
    })),
  };
}

export function registriesOf(
  deployment: Deployment,
  logins: readonly RegistryLogin[],
): { reference: V1LocalObjectReference; secret: V1Secret } | undefined {
  const known = logins.filter((it) => it.username !== undefined && it.password !== undefined);
  if (known.length === 0) return undefined;
  const auths = Object.fromEntries(
    known.map(({ server, username, password }) => [
      DOCKER_HUB_NAMES.has(server.toLowerCase()) ? DOCKER_HUB : server,
      { username, password, auth: base64(`${username}:${password}`) },
    ]),
  );
  const data = { '.dockerconfigjson': base64(JSON.stringify({ auths })) };
  const secret = secretOf(deployment, 'registries', data, 'kubernetes.io/dockerconfigjson');
  return { secret, reference: { name: secret.metadata!.name! } };
}
