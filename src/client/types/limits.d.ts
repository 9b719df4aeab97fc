export type LimitMode = 'enforced' | 'shadow' | 'unlimited';

export interface LimitNumbers {
  readonly limit?: number;
  readonly size?: number;
  readonly refillPerSecond?: number;
  readonly windowMs?: number;
}

/** A limit, what is used of it, and what it has refused. */
export interface JarLimit {
  readonly name: string;
  readonly service: string;
  readonly title: string;
  readonly kind: 'quota' | 'bound' | 'bucket' | 'window' | 'concurrency';
  readonly window?: 'fixed' | 'sliding';
  readonly scope: readonly string[];
  readonly unit: string;
  readonly fixed: boolean;
  readonly incidental: boolean;
  /** The limit as the service declares it. */
  readonly table: LimitNumbers;
  /** What holds where no override is more specific. */
  readonly inForce: LimitNumbers & { readonly mode: LimitMode };
  readonly overrides: readonly (LimitNumbers & {
    readonly scope?: Readonly<Record<string, string>>;
    readonly mode?: LimitMode;
  })[];
  readonly refusals: number;
  readonly shadowRefusals: number;
  readonly use: readonly {
    readonly scope: Readonly<Record<string, string>>;
    readonly used: number;
    readonly remaining: number;
    readonly maximum: number;
    readonly mode: LimitMode;
  }[];
  /** Clients that retried before the time they were told. */
  readonly earlyRetries: readonly {
    readonly client: string;
    readonly name?: string;
    readonly times: number;
    readonly lastAt: string;
    readonly earliestBySeconds: number;
  }[];
}

/** `null` puts a number or the mode back to that of the table. */
export interface LimitChange {
  readonly name: string;
  readonly scope?: Readonly<Record<string, string>>;
  readonly limit?: number | null;
  readonly size?: number | null;
  readonly refillPerSecond?: number | null;
  readonly windowMs?: number | null;
  readonly mode?: LimitMode | null;
}

/** Rate limits and quotas: what is used, and changes to them. */
export interface JarLimits {
  /** All limits, one of them, or those whose names begin alike: `management.*`. */
  list(name?: string): Promise<JarLimit[]>;
  /** Makes all changes or none. They hold until `reset`. */
  change(changes: LimitChange | readonly LimitChange[]): Promise<JarLimit[]>;
}
