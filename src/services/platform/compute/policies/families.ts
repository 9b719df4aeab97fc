/** Predefined policies of the platform, as templates. */

interface PolicyFamily {
  readonly policy_family_id: string;
  readonly name: string;
  readonly description: string;
  readonly definition: string;
}

const family = (policy_family_id: string, name: string, description: string, rules: object): PolicyFamily => ({
  policy_family_id,
  name,
  description,
  definition: JSON.stringify(rules),
});

const LATEST_LTS = { type: 'unlimited', defaultValue: 'auto:latest-lts' };
const NODE = { type: 'unlimited', defaultValue: 'Standard_DS3_v2', isOptional: true };
const ALL_PURPOSE = { type: 'fixed', value: 'all-purpose' };

export const POLICY_FAMILIES: readonly PolicyFamily[] = [
  family(
    'personal-vm',
    'Personal Compute',
    'Use with small-to-medium data or libraries like pandas and scikit-learn.',
    {
      cluster_type: ALL_PURPOSE,
      num_workers: { type: 'fixed', value: 0, hidden: true },
      node_type_id: {
        type: 'allowlist',
        values: ['Standard_DS3_v2', 'Standard_DS4_v2', 'Standard_D4ds_v5'],
        defaultValue: 'Standard_DS3_v2',
      },
      spark_version: { type: 'unlimited', defaultValue: 'auto:latest-ml' },
      data_security_mode: {
        type: 'allowlist',
        values: ['SINGLE_USER', 'LEGACY_SINGLE_USER_STANDARD'],
        defaultValue: 'SINGLE_USER',
        hidden: true,
      },
      autotermination_minutes: { type: 'unlimited', defaultValue: 4320, isOptional: true },
      instance_pool_id: { type: 'forbidden', hidden: true },
    },
  ),
  family(
    'shared-compute',
    'Shared Compute',
    'Share with larger teams for interactive exploration, data analysis and SQL.',
    {
      cluster_type: ALL_PURPOSE,
      'autoscale.min_workers': { type: 'fixed', value: 1, hidden: true },
      'autoscale.max_workers': { type: 'range', maxValue: 8, defaultValue: 2 },
      node_type_id: NODE,
      spark_version: LATEST_LTS,
      data_security_mode: { type: 'fixed', value: 'USER_ISOLATION', hidden: true },
      autotermination_minutes: { type: 'unlimited', defaultValue: 120, isOptional: true },
    },
  ),
  family('power-user', 'Power User Compute', 'Use with larger data or machine learning workloads.', {
    cluster_type: ALL_PURPOSE,
    'autoscale.max_workers': { type: 'range', maxValue: 20, defaultValue: 4, isOptional: true },
    node_type_id: NODE,
    spark_version: { type: 'unlimited', defaultValue: 'auto:latest-ml' },
    autotermination_minutes: { type: 'range', minValue: 10, maxValue: 10_000, defaultValue: 60 },
  }),
  family('job-cluster', 'Job Compute', 'Use with all jobs.', {
    cluster_type: { type: 'fixed', value: 'job' },
    node_type_id: NODE,
    spark_version: LATEST_LTS,
    num_workers: { type: 'unlimited', defaultValue: 4, isOptional: true },
  }),
];

export const policyFamily = (id: string): PolicyFamily | undefined =>
  POLICY_FAMILIES.find(({ policy_family_id }) => policy_family_id === id);
