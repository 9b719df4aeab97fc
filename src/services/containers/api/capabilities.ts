import { REGIONS } from '../../../kernel/arm/index.ts';
import type { GPU_SKUS, OS_TYPES } from './schema.ts';

type OsType = (typeof OS_TYPES)[number];
type GpuSku = (typeof GPU_SKUS)[number];

/** Maximum size of a group. */
export interface Capability {
  readonly osType: OsType;
  readonly ipAddressType: 'Public' | 'Private';
  readonly gpu: 'None' | GpuSku;
  readonly maxMemoryInGB: number;
  readonly maxCpu: number;
  readonly maxGpuCount: number;
}

/** Minimum resources of a group, summed over its containers. */
export const LEAST_OF_GROUP = { cpu: 1, memoryInGB: 1 } as const;

const LARGE = { maxCpu: 32, maxMemoryInGB: 256 } as const;
const CLASSIC = { maxCpu: 4, maxMemoryInGB: 16 } as const;

/** Regions that offer only the classic sizes: the secondary regions of region pairs. */
const CLASSIC_REGIONS = new Set([
  'francesouth',
  'germanynorth',
  'swedensouth',
  'norwaywest',
  'switzerlandwest',
  'koreasouth',
  'uaecentral',
  'southafricawest',
]);

/** The regions that offer each kind of GPU. */
const GPU_REGIONS: Readonly<Record<GpuSku, readonly string[]>> = {
  K80: ['eastus', 'northeurope', 'westeurope', 'westus2', 'southeastasia'],
  P100: ['eastus', 'westeurope', 'westus2', 'southeastasia'],
  V100: ['eastus', 'northeurope', 'westeurope', 'westus2', 'southeastasia', 'centralindia', 'australiaeast'],
};

interface GpuSize {
  readonly maxCpu: number;
  readonly maxMemoryInGB: number;
}

/** Maximum CPU and memory of a group, by GPU kind and number of GPUs. */
export const GPU_SIZES: Readonly<Record<GpuSku, Readonly<Record<number, GpuSize>>>> = {
  K80: {
    1: { maxCpu: 6, maxMemoryInGB: 56 },
    2: { maxCpu: 12, maxMemoryInGB: 112 },
    4: { maxCpu: 24, maxMemoryInGB: 224 },
  },
  P100: {
    1: { maxCpu: 6, maxMemoryInGB: 112 },
    2: { maxCpu: 12, maxMemoryInGB: 224 },
    4: { maxCpu: 24, maxMemoryInGB: 448 },
  },
  V100: {
    1: { maxCpu: 6, maxMemoryInGB: 112 },
    2: { maxCpu: 12, maxMemoryInGB: 224 },
    4: { maxCpu: 24, maxMemoryInGB: 448 },
  },
};

const GPU_MOST = 4;

export function capabilitiesIn(region: string): Capability[] {
  const linux = CLASSIC_REGIONS.has(region) ? CLASSIC : LARGE;
  const rows: Capability[] = (['Public', 'Private'] as const).flatMap((ipAddressType) => [
    { osType: 'Linux', ipAddressType, gpu: 'None', ...linux, maxGpuCount: 0 },
    { osType: 'Windows', ipAddressType, gpu: 'None', ...CLASSIC, maxGpuCount: 0 },
  ]);
  const gpus = Object.entries(GPU_REGIONS).flatMap(([gpu, regions]): Capability[] => {
    const sku = gpu as GpuSku;
    const size = GPU_SIZES[sku][GPU_MOST] as GpuSize;
    if (!regions.includes(region)) return [];
    return [{ osType: 'Linux', ipAddressType: 'Public', gpu: sku, ...size, maxGpuCount: GPU_MOST }];
  });
  return [...rows, ...gpus];
}

/** Maximum size of such a group in the region; undefined if the region does not offer that kind of group. */
export function sizeOffered(
  region: string,
  osType: OsType,
  address: 'Public' | 'Private',
  gpu?: { readonly sku: GpuSku; readonly count: number },
): GpuSize | undefined {
  const kind = gpu?.sku ?? 'None';
  const row = capabilitiesIn(region).find(
    (each) => each.osType === osType && each.gpu === kind && each.ipAddressType === address,
  );
  return gpu && row ? GPU_SIZES[gpu.sku][gpu.count] : row;
}

export const displayNameOf = (region: string): string =>
  REGIONS.find(({ name }) => name === region)?.displayName ?? region;
