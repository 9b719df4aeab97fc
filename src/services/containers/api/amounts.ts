import type { GroupPropertiesBody } from './schema.ts';

/** Sum of the resources that all containers of a group request. */
export interface GroupTotal {
  readonly cpu: number;
  readonly memoryInGB: number;
  readonly gpu: { readonly sku: 'K80' | 'P100' | 'V100'; readonly count: number } | undefined;
}

export function totalOf({ containers = [] }: Pick<GroupPropertiesBody, 'containers'>): GroupTotal {
  const requests = containers.map(({ properties }) => properties?.resources?.requests ?? {});
  const gpus = requests.flatMap(({ gpu }) => (gpu?.sku && gpu.count ? [{ sku: gpu.sku, count: gpu.count }] : []));
  const [first] = gpus;
  return {
    cpu: sum(requests.map(({ cpu = 0 }) => cpu)),
    memoryInGB: sum(requests.map(({ memoryInGB = 0 }) => memoryInGB)),
    gpu: first && { sku: first.sku, count: sum(gpus.map(({ count }) => count)) },
  };
}

/** Rounded so that ten times 0.1 is 1 despite binary fractions. */
const sum = (numbers: readonly number[]): number =>
  Math.round(numbers.reduce((total, each) => total + each, 0) * 1e6) / 1e6;
