import { NO_STATUS } from '../../../../../kernel/engines/index.ts';
import { uuid } from '../../../../../kernel/ids/index.ts';
import { isObject } from '../../../../../kernel/values/index.ts';
import type { PlatformJar } from '../../../jar.ts';
import type { Cluster, ContextContainer } from '../../collections.ts';

/**
 * The container of a context: with the image that the cluster names, otherwise with a Python image that the engine has. Returns undefined
 * if the context is simulated.
 */
export function newContainer(
  { taskImages }: Pick<PlatformJar, 'taskImages'>,
  { id, attributes }: Cluster,
  contextId: string,
): ContextContainer | undefined {
  const { docker_image: own, spark_env_vars: variables } = attributes;
  const named = isObject(own) && typeof own.url === 'string' && own.url !== '' ? own.url : undefined;
  const image = taskImages.imageFor('python', named);
  if (image === undefined) return undefined;
  const environment = Object.fromEntries(
    Object.entries(isObject(variables) ? variables : {}).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
  return { uid: uuid(), image, clusterId: id, contextId, environment, status: NO_STATUS };
}
