/** Node types and runtimes of the platform, as data. */

export interface NodeType {
  readonly id: string;
  readonly category: string;
  readonly memoryMb: number;
  readonly cores: number;
  readonly gpus?: number;
  /** Databricks units per machine and hour. */
  readonly dbu: number;
  readonly localDisks: number;
  readonly localDiskGb: number;
  readonly deprecated?: true;
}

const general = 'General Purpose';
const memory = 'Memory Optimized';
const compute = 'Compute Optimized';
const storage = 'Storage Optimized';
const gpu = 'GPU Accelerated';

const node = (
  id: string,
  category: string,
  cores: number,
  memoryMb: number,
  dbu: number,
  rest: Partial<NodeType> = {},
): NodeType => ({ id, category, cores, memoryMb, dbu, localDisks: 1, localDiskGb: cores * 16, ...rest });

export const NODE_TYPES: readonly NodeType[] = [
  node('Standard_DS3_v2', general, 4, 14_336, 0.75),
  node('Standard_DS4_v2', general, 8, 28_672, 1.5),
  node('Standard_DS5_v2', general, 16, 57_344, 3),
  node('Standard_D4ds_v5', general, 4, 16_384, 1),
  node('Standard_D8ds_v5', general, 8, 32_768, 2),
  node('Standard_D16ds_v5', general, 16, 65_536, 4),
  node('Standard_D4s_v3', general, 4, 16_384, 0.75, { deprecated: true }),
  node('Standard_DS12_v2', memory, 4, 28_672, 1),
  node('Standard_DS13_v2', memory, 8, 57_344, 2),
  node('Standard_E4ds_v5', memory, 4, 32_768, 1.25),
  node('Standard_E8ds_v5', memory, 8, 65_536, 2.5),
  node('Standard_F4s', compute, 4, 8_192, 0.5),
  node('Standard_F8s_v2', compute, 8, 16_384, 1),
  node('Standard_L4s', storage, 4, 32_768, 1),
  node('Standard_L8s_v3', storage, 8, 65_536, 2, { localDisks: 1, localDiskGb: 1_920 }),
  node('Standard_NC6s_v3', gpu, 6, 114_688, 2.5, { gpus: 1 }),
  node('Standard_NC4as_T4_v3', gpu, 4, 28_672, 1, { gpus: 1 }),
];

const BY_ID = new Map(NODE_TYPES.map((each) => [each.id, each]));

export const nodeType = (id: string): NodeType | undefined => BY_ID.get(id);

interface SparkVersion {
  readonly key: string;
  readonly name: string;
}

/** From the newest to the oldest; each runtime has variants for CPUs and for machine learning. */
const RUNTIMES = [
  { version: '17.3', spark: '4.0.0', scala: '2.13', lts: true },
  { version: '17.2', spark: '4.0.0', scala: '2.13', lts: false },
  { version: '16.4', spark: '3.5.2', scala: '2.12', lts: true },
  { version: '15.4', spark: '3.5.0', scala: '2.12', lts: true },
  { version: '14.3', spark: '3.5.0', scala: '2.12', lts: true },
  { version: '13.3', spark: '3.4.1', scala: '2.12', lts: true },
  { version: '12.2', spark: '3.3.2', scala: '2.12', lts: true },
  { version: '11.3', spark: '3.3.0', scala: '2.12', lts: true },
] as const;

export const SPARK_VERSIONS: readonly SparkVersion[] = RUNTIMES.flatMap(({ version, spark, scala, lts }) => {
  const of = lts ? `${version} LTS` : version;
  const names = `(includes Apache Spark ${spark}, `;
  return [
    { key: `${version}.x-scala${scala}`, name: `${of} ${names}Scala ${scala})` },
    { key: `${version}.x-cpu-ml-scala${scala}`, name: `${of} ML ${names}Scala ${scala})` },
    { key: `${version}.x-gpu-ml-scala${scala}`, name: `${of} ML ${names}GPU, Scala ${scala})` },
    { key: `${version}.x-photon-scala${scala}`, name: `${of} Photon ${names}Scala ${scala})` },
  ];
});

const KNOWN_VERSIONS = new Set(SPARK_VERSIONS.map(({ key }) => key));

/** Aliases of versions in policies and clusters: `auto:latest-lts`, `auto:latest-ml`. */
const AUTO = /^auto:(latest|latest-lts|prev-lts|prev-major)(-ml)?$/;

/** The runtime version of a cluster, with aliases such as `auto:latest-lts` resolved. Returns undefined if the version does not exist. */
export function sparkVersion(asked: string): string | undefined {
  const auto = AUTO.exec(asked);
  if (!auto) return KNOWN_VERSIONS.has(asked) ? asked : undefined;
  const [, which, ml] = auto;
  const lts = RUNTIMES.filter((each) => each.lts);
  const newest = RUNTIMES[0];
  const major = ({ version }: { readonly version: string }): number => Number(version.split('.')[0]);
  const chosen =
    which === 'latest'
      ? newest
      : which === 'latest-lts'
        ? lts[0]
        : which === 'prev-lts'
          ? lts[1]
          : RUNTIMES.find((each) => major(each) < major(newest));
  return chosen && `${chosen.version}.x-${ml ? 'cpu-ml-' : ''}scala${chosen.scala}`;
}

/** For example 16 for `16.4.x-scala2.12`. */
export const majorOf = (version: string): number => Number(/^(\d+)\./.exec(version)?.[1] ?? 0);

export const ZONES = ['1', '2', '3'] as const;

export const nodeTypeView = (type: NodeType): object => ({
  node_type_id: type.id,
  memory_mb: type.memoryMb,
  num_cores: type.cores,
  description: type.id,
  instance_type_id: type.id,
  category: type.category,
  num_gpus: type.gpus ?? 0,
  is_deprecated: type.deprecated ?? false,
  is_hidden: type.deprecated ?? false,
  is_io_cache_enabled: type.category === storage,
  is_graviton: false,
  is_encrypted_in_transit: false,
  support_ebs_volumes: true,
  support_cluster_tags: true,
  support_port_forwarding: type.gpus === undefined,
  photon_driver_capable: type.gpus === undefined,
  photon_worker_capable: type.gpus === undefined,
  node_instance_type: {
    instance_type_id: type.id,
    local_disks: type.localDisks,
    local_disk_size_gb: type.localDiskGb,
    local_nvme_disks: 0,
    local_nvme_disk_size_gb: 0,
  },
  node_info: { status: [], available_core_quota: 350, total_core_quota: 350 },
});
