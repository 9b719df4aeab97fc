export type LimitMode = 'enforced' | 'shadow' | 'unlimited';

export interface LimitNumbers {
  readonly limit?: number;
  readonly size?: number;
  readonly refillPerSecond?: number;
  readonly windowMs?: number;
}

/** A limit, its use, and its refusals. */
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
  /** The values that apply unless a more specific override exists. */
  readonly inForce: LimitNumbers & { readonly mode: LimitMode };
  readonly overrides: readonly (LimitNumbers & {
    readonly scope?: Readonly<Record<string, string>>;
    readonly mode?: LimitMode;
  })[];
  readonly refusals: number;
  readonly shadowRefusals: number;
  /** The share that the fullest scope has used of its limit. */
  readonly pressure: number;
  /** Whether there are overrides. */
  readonly changed: boolean;
  /** The number of clients in `earlyRetries`. */
  readonly earlyClients: number;
  readonly use: readonly {
    readonly scope: Readonly<Record<string, string>>;
    readonly used: number;
    readonly remaining: number;
    readonly maximum: number;
    readonly mode: LimitMode;
  }[];
  /** Clients that retried before the time in `Retry-After`. */
  readonly earlyRetries: readonly {
    readonly client: string;
    readonly name?: string;
    readonly times: number;
    readonly lastAt: string;
    readonly earliestBySeconds: number;
  }[];
}

/** `null` resets a number or the mode to the declared value. */
export interface LimitChange {
  readonly name: string;
  readonly scope?: Readonly<Record<string, string>>;
  readonly limit?: number | null;
  readonly size?: number | null;
  readonly refillPerSecond?: number | null;
  readonly windowMs?: number | null;
  readonly mode?: LimitMode | null;
}

/** Rate limits and quotas: their use, and changes to them. */
export interface JarLimits {
  /** All limits, one limit, or all with a common prefix: `management.*`. */
  list(name?: string): Promise<JarLimit[]>;
  /** Applies all changes or none. They stay until `reset`. */
  change(changes: LimitChange | readonly LimitChange[]): Promise<JarLimit[]>;
}
