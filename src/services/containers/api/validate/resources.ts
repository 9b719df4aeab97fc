import type { ApiError } from '../../../../kernel/http/index.ts';
import { containerErrors } from '../../errors.ts';
import { totalOf } from '../amounts.ts';
import { GPU_SIZES, LEAST_OF_GROUP, sizeOffered } from '../capabilities.ts';
import type { ContainerBody, GroupBody } from '../schema.ts';

const AMOUNTS = ['cpu', 'memoryInGB'] as const;

/** A limit must be at least the container's request and at most the sum of the group. */
export function wrongLimits(body: GroupBody): ApiError[] {
  const properties = body.properties ?? {};
  const { cpu, memoryInGB, gpu } = totalOf(properties);
  return (properties.containers ?? []).flatMap(({ properties: run }: ContainerBody, index) => {
    const { requests = {}, limits = {} } = run?.resources ?? {};
    const place = `properties.containers[${index}].properties.resources.limits`;
    return [
      ...wrongLimit(`${place}.cpu`, limits.cpu, requests.cpu, cpu),
      ...wrongLimit(`${place}.memoryInGB`, limits.memoryInGB, requests.memoryInGB, memoryInGB),
      ...wrongLimit(`${place}.gpu.count`, limits.gpu?.count, requests.gpu?.count ?? 0, gpu?.count ?? 0),
    ];
  });
}

function wrongLimit(at: string, limit: number | undefined, request: number | undefined, total: number): ApiError[] {
  if (limit === undefined || request === undefined) return [];
  if (limit < request) return [containerErrors.ResourceLimitsLessThanRequests({ limit, at, request }, { target: at })];
  if (limit > total) return [containerErrors.ContainerLimitGreaterThanGroupTotal({ limit, at, total }, { target: at })];
  return [];
}

export function wrongGpus(body: GroupBody): ApiError[] {
  const gpus = (body.properties?.containers ?? []).flatMap(({ properties }, index) =>
    (['requests', 'limits'] as const).flatMap((kind) => {
      const gpu = properties?.resources?.[kind]?.gpu;
      const at = `properties.containers[${index}].properties.resources.${kind}.gpu`;
      return gpu ? [{ ...gpu, at }] : [];
    }),
  );
  const counts = Object.keys(GPU_SIZES.V100).map(Number);
  const first = gpus[0]?.sku;
  return gpus.flatMap(({ count, sku, at }) => {
    if (count !== undefined && !counts.includes(count))
      return [containerErrors.InvalidGpuCount({ value: count }, { target: `${at}.count` })];
    if (first !== undefined && sku !== undefined && sku !== first)
      return [containerErrors.MixedGpuSkus({ first, second: sku }, { target: `${at}.sku` })];
    return [];
  });
}

/** Checks whether the region offers a group of this size; runs after all other rules passed. */
export function wrongSize(body: GroupBody, location: string): ApiError[] {
  const { osType = 'Linux', ipAddress, containers = [] } = body.properties ?? {};
  const total = totalOf({ containers });
  const at = (amount: string): string => `properties.containers[0].properties.resources.requests.${amount}`;
  const small = AMOUNTS.flatMap((amount) => {
    const least = LEAST_OF_GROUP[amount];
    if (total[amount] >= least) return [];
    const target = at(amount);
    return [
      containerErrors.InvalidResourceRequests(
        { value: total[amount], at: `${target}, all containers together`, least },
        { target },
      ),
    ];
  });
  const offered = sizeOffered(location, osType, ipAddress?.type ?? 'Public', total.gpu);
  const gpus = total.gpu ? ` and ${total.gpu.count} GPUs ${total.gpu.sku}` : '';
  const requested = `${total.cpu} CPU, ${total.memoryInGB} GB of memory${gpus} on ${osType}`;
  const refuse = (most: string, amount: string): ApiError =>
    containerErrors.ServiceUnavailable({ location, requested, most }, { target: at(amount) });
  if (!offered) return [...small, refuse('nothing of that kind', total.gpu ? 'gpu' : 'cpu')];
  const most = `${offered.maxCpu} CPU and ${offered.maxMemoryInGB} GB`;
  return [
    ...small,
    ...(total.cpu > offered.maxCpu ? [refuse(most, 'cpu')] : []),
    ...(total.memoryInGB > offered.maxMemoryInGB ? [refuse(most, 'memoryInGB')] : []),
  ];
}
