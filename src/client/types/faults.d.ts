interface FaultMatch {
  direction?: 'inbound' | 'outbound';
  service?: string;
  method?: string;
  /** A glob: `*` crosses slashes. */
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
}

export interface OrderedFault extends FaultSchedule {
  id: string;
  createdAt: string;
  match: FaultMatch;
  effect: FaultEffect;
  state: 'armed' | 'exhausted';
  matched: number;
  hits: number;
  lastHitAt: string | null;
}

export interface TestFaults {
  /** Orders something to go wrong: `{ match: { path: '/subscriptions*' }, effect: { status: 429 }, count: 2 }`. */
  add(order: FaultOrder): Promise<OrderedFault>;
  /** With what each has matched and hit so far. */
  list(): Promise<readonly OrderedFault[]>;
  remove(id: string): Promise<void>;
  /** Removes all of them. */
  clear(): Promise<void>;
}
