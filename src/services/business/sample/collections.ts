import { collection } from '../../../kernel/store/index.ts';

export interface SeedCompany {
  readonly name: string;
  readonly displayName?: string;
  /** With the sample data, or with what every company needs and nothing else. */
  readonly sample?: boolean;
  /** By the names of v2.0: `customers`, `items`, … */
  readonly records?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

export interface BusinessSeed {
  readonly companies: readonly SeedCompany[];
}

/** What a jar was seeded with, and when: companies are made of it when somebody first asks for them. */
export interface KeptSeed {
  section: BusinessSeed;
  at: number;
}

export const SEED_KEY = 'seed';

export const keptSeed = collection<KeptSeed>('business.seed');

/** The tenants whose companies have been made. Keyed by the tenant. */
export const businessTenants = collection<{ madeAt: number }>('business.tenants', { cached: true });

export const SAMPLE_COLLECTIONS = [keptSeed, businessTenants];
