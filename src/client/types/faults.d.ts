interface FaultMatch {
  direction?: 'inbound' | 'outbound';
  service?: string;
  method?: string;
  /** A glob: `*` also matches slashes. */
  path?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

interface FaultEffect {
  status?: number;
  headers?: Record<string, string | number>;
  body?: unknown;
  throttledAs500?: boolean;
  latencyMs?: number;
  drop?: boolean;
  dropAnswer?: boolean;
  slowBodyMs?: number;
  cutBodyAfter?: number;
  duplicate?: boolean;
  outOfOrder?: boolean;
  afterDelete?: boolean;
}

interface FaultSchedule {
  count?: number;
  nth?: number;
  every?: number;
  share?: number;
  seed?: number | string;
}

export interface FaultOrder extends FaultSchedule {
  match?: FaultMatch;
  effect: FaultEffect;
  /** Default: true. */
  enabled?: boolean;
}

export interface OrderedFault extends FaultSchedule {
  id: string;
  createdAt: string;
  match: FaultMatch;
  effect: FaultEffect;
  enabled: boolean;
  state: 'armed' | 'exhausted' | 'disabled';
  matched: number;
  hits: number;
  lastHitAt: string | null;
}

export interface TestFaults {
  /** Adds a fault rule: `{ match: { path: '/subscriptions*' }, effect: { status: 429 }, count: 2 }`. */
  add(order: FaultOrder): Promise<OrderedFault>;
  /** The rules, with the number of requests that each has matched and hit. */
  list(): Promise<readonly OrderedFault[]>;
  remove(id: string): Promise<void>;
  /** Removes all rules. */
  clear(): Promise<void>;
}
