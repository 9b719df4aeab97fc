import type { Jar } from '../../../../kernel/service/index.ts';
import { isoTime } from '../../../../kernel/time/index.ts';
import { type PlatformError, platformError } from '../../errors.ts';
import { boundOf, rowOf } from '../../limits/declared.ts';
import { limitExceeded, TOO_MANY } from '../../limits/take.ts';
import type { EndpointConfig, ServedEntity, ServingEndpoint, TrafficRoute } from '../collections.ts';

/** Upper bounds of the latency histogram, in milliseconds. */
export const LATENCY_BOUNDS = [10, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const;

/** Counters of one served entity on this node since its start or the last reset. */
export class EntityLoad {
  inFlight = 0;
  requests = 0;
  clientErrors = 0;
  serverErrors = 0;
  totalMs = 0;
  readonly latencies = LATENCY_BOUNDS.map(() => 0);
  readonly lines: string[] = [];

  note(status: number, milliseconds: number, line: string): void {
    this.requests++;
    if (status >= 500) this.serverErrors++;
    else if (status >= 400) this.clientErrors++;
    this.totalMs += milliseconds;
    for (const [index, bound] of LATENCY_BOUNDS.entries())
      if (milliseconds <= bound) this.latencies[index] = (this.latencies[index] as number) + 1;
    this.lines.push(line);
    if (this.lines.length > MOST_LINES) this.lines.shift();
  }
}

const MOST_LINES = 200;
/** Beyond this number, counters of idle entities are dropped. */
const MOST_ENTITIES = 10_000;

/** Sum of all percentages. */
const ROUND = 100;

type LoadJar = Pick<Jar, 'limits' | 'clock'>;

/** Running queries, and counters of earlier ones. In memory, because a query ends with the node that serves it. */
export class ServingLoad {
  readonly #entities = new Map<string, EntityLoad>();
  readonly #turns = new Map<string, readonly number[]>();

  of({ id }: ServingEndpoint, entity: string): EntityLoad {
    const key = `${id}/${entity}`;
    let load = this.#entities.get(key);
    if (!load) {
      if (this.#entities.size >= MOST_ENTITIES) this.#forgetIdle();
      load = new EntityLoad();
      this.#entities.set(key, load);
    }
    return load;
  }

  /**
   * Takes a slot for one query of an entity, or returns the error if none is free. Synchronous, so that two queries cannot take the last
   * slot.
   */
  enter(jar: LoadJar, endpoint: ServingEndpoint, config: EndpointConfig, entity: ServedEntity): Slot | PlatformError {
    const load = this.of(endpoint, entity.name);
    const running = load.inFlight + 1;
    const { concurrency } = entity;
    if (concurrency !== undefined && running > concurrency) return tooMany(endpoint, entity, concurrency);
    const scope = [endpoint.workspaceId, endpoint.name];
    const all = config.entities.reduce((sum, { name }) => sum + this.of(endpoint, name).inFlight, 1);
    for (const [row, current] of [
      ['serving-model-concurrency', running],
      ['serving-concurrency', all],
    ] as const) {
      const { allowed, maximum } = jar.limits.checkBound(boundOf(row), scope, current);
      if (!allowed) return limitExceeded({ row: rowOf(row), scope, maximum, current, code: TOO_MANY });
    }
    load.inFlight++;
    return {
      leave: (status, milliseconds) => {
        load.inFlight--;
        load.note(status, milliseconds, `${isoTime(jar.clock.now())} POST /invocations ${status}`);
      },
    };
  }

  /**
   * Chooses the next entity by weighted round robin. With every query each entity gains its percentage, and the entity with the highest
   * gain is chosen and pays 100: of 100 consecutive queries each entity gets exactly its percentage, evenly spread.
   */
  pick({ id }: ServingEndpoint, { version, routes }: EndpointConfig): string {
    const key = `${id}/${version}`;
    if (this.#turns.size >= MOST_ENTITIES) this.#turns.clear();
    const before = this.#turns.get(key) ?? routes.map(() => 0);
    const gained = routes.map(({ percentage }, at) => (before[at] as number) + percentage);
    const next = gained.indexOf(Math.max(...gained));
    this.#turns.set(
      key,
      gained.map((each, at) => (at === next ? each - ROUND : each)),
    );
    return (routes[next] as TrafficRoute).entity;
  }

  forget(): void {
    this.#entities.clear();
    this.#turns.clear();
  }

  #forgetIdle(): void {
    for (const [key, load] of this.#entities) if (load.inFlight === 0) this.#entities.delete(key);
  }
}

/** The slot of a running query. */
export interface Slot {
  leave(status: number, milliseconds: number): void;
}

function tooMany({ name }: ServingEndpoint, entity: ServedEntity, concurrency: number): PlatformError {
  const message = `The served entity ${entity.name} of the endpoint ${name} is provisioned for ${concurrency} concurrent requests, all of which are running. Try again later or provision more concurrency.`;
  const metadata = { endpoint: name, servedEntity: entity.name, concurrency: String(concurrency) };
  const details = [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: TOO_MANY,
      domain: 'platform.vendor.example',
      metadata,
    },
  ];
  return platformError(429, TOO_MANY, message, details, { headers: { 'retry-after': '1' } });
}
