import { collection } from '../../../kernel/store/index.ts';

export interface SeedCompany {
  readonly name: string;
  readonly displayName?: string;
  /** With sample data, or only with what every company needs. */
  readonly sample?: boolean;
  /** By the set names of v2.0: `customers`, `items`, … */
  readonly records?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

export interface BusinessSeed {
  readonly companies: readonly SeedCompany[];
}

/** The seed of the jar and its time; companies are created from it on first use. */
export interface KeptSeed {
  section: BusinessSeed;
  at: number;
}

export const SEED_KEY = 'seed';

export const keptSeed = collection<KeptSeed>('business.seed');

/** Tenants whose companies have been created. Keyed by tenant. */
export const businessTenants = collection<{ madeAt: number }>('business.tenants', { cached: true });

export const SAMPLE_COLLECTIONS = [keptSeed, businessTenants];
