/** The use of a limit in one scope. */
export interface Use {
  readonly scope: Readonly<Record<string, string>>;
  readonly used?: number;
  readonly remaining?: number;
  readonly limit?: number;
}

export interface Limit {
  readonly name: string;
  readonly table: 'RESOURCES' | 'RATES' | 'FURTHER';
  readonly resource: string;
  readonly metric: string;
  /** The published number. */
  readonly limit?: number;
  readonly unit: string;
  readonly scope: string;
  readonly fixed: boolean;
  readonly measure: string;
  readonly status: string;
  readonly mode: string;
  /** The number for the caller, with overrides. */
  readonly in_force?: number;
  /** The fullest scopes first. */
  readonly use?: readonly Use[];
}

export interface LimitPage {
  readonly limits?: readonly Limit[];
  readonly next_page_token?: string;
}

/** How full the fullest scope is, from 0 to 1. */
export function pressureOf({ use = [], in_force }: Limit): number {
  return Math.max(
    0,
    ...use.map(({ used = 0, limit = in_force }) => (limit === undefined || limit === 0 ? 0 : used / limit)),
  );
}

export const fullestOf = (limit: Limit): Use | undefined =>
  (limit.use ?? []).toSorted((one, other) => (other.used ?? 0) - (one.used ?? 0))[0];
