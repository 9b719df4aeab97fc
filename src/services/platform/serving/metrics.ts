import type { PlatformJar } from '../jar.ts';
import type { ServingEndpoint } from './collections.ts';
import { type EntityLoad, LATENCY_BOUNDS } from './query/load.ts';

/** The metrics of an endpoint in the Prometheus text format: counted by this node since its start or the last reset. */

interface Family {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  read(load: EntityLoad, concurrency: number | undefined): number | undefined;
}

const FAMILIES: readonly Family[] = [
  { name: 'request_count_total', type: 'counter', help: 'Requests.', read: ({ requests }) => requests },
  {
    name: 'request_4xx_count_total',
    type: 'counter',
    help: 'Requests answered by a status of 400 to 499.',
    read: ({ clientErrors }) => clientErrors,
  },
  {
    name: 'request_5xx_count_total',
    type: 'counter',
    help: 'Requests answered by a status of 500 to 599.',
    read: ({ serverErrors }) => serverErrors,
  },
  {
    name: 'concurrent_requests_total',
    type: 'gauge',
    help: 'Requests that are being answered.',
    read: ({ inFlight }) => inFlight,
  },
  {
    name: 'provisioned_concurrent_requests_total',
    type: 'gauge',
    help: 'Provisioned number of concurrent requests.',
    read: (_load, concurrency) => concurrency,
  },
];

const LATENCY = 'request_latency_ms';

export function metricsOf({ servingLoad }: Pick<PlatformJar, 'servingLoad'>, endpoint: ServingEndpoint): string {
  const served = (endpoint.config?.entities ?? []).map(({ name, concurrency, fields }) => ({
    load: servingLoad.of(endpoint, name),
    concurrency,
    labels: labelsOf({
      endpoint: endpoint.name,
      served_entity_name: name,
      entity_name: String(fields.entity_name ?? name),
      entity_version: String(fields.entity_version ?? ''),
    }),
  }));
  const lines: string[] = [];
  for (const { name, type, help, read } of FAMILIES) {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const { load, concurrency, labels } of served) {
      const value = read(load, concurrency);
      if (value !== undefined) lines.push(`${name}{${labels}} ${value}`);
    }
  }
  lines.push(`# HELP ${LATENCY} Latency of requests in milliseconds.`, `# TYPE ${LATENCY} histogram`);
  for (const { load, labels } of served) lines.push(...latencyOf(load, labels));
  return `${lines.join('\n')}\n`;
}

function latencyOf({ latencies, requests, totalMs }: EntityLoad, labels: string): readonly string[] {
  const buckets = LATENCY_BOUNDS.map((bound, at) => `${LATENCY}_bucket{${labels},le="${bound}"} ${latencies[at]}`);
  return [
    ...buckets,
    `${LATENCY}_bucket{${labels},le="+Inf"} ${requests}`,
    `${LATENCY}_sum{${labels}} ${Number(totalMs.toFixed(3))}`,
    `${LATENCY}_count{${labels}} ${requests}`,
  ];
}

const labelsOf = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (each) => (each === '\n' ? '\\n' : `\\${each}`))}"`)
    .join(',');
