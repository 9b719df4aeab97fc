import type { Counter, Metrics } from './metrics.ts';

/** Measures the calls of one operation; resolved once, when its route is mounted. */
export interface OperationMeter {
  finished(status: number, seconds: number): void;
}

export interface StandardMetrics {
  operation(service: string, operation: string): OperationMeter;
  /** One run of a due-work item: `done`, `failed`, `parked`. */
  workRun(kind: string, outcome: string): void;
  /** One attempt at an outbound delivery: `delivered`, `retried`, `dead-lettered`, `dropped`. */
  delivery(service: string, outcome: string): void;
}

/** The state of the due-work queue, read when the metrics are read. */
export interface WorkGauges {
  waiting(): number | Promise<number>;
  leased(): number | Promise<number>;
  parked(): number | Promise<number>;
  /** How long the oldest due item has been waiting, in seconds of the jar's time; 0 if none is due. */
  oldestDueAgeSeconds(): number | Promise<number>;
}

export interface StandardMetricsOptions {
  readonly version: string;
  readonly work: WorkGauges;
}

/** The metrics that every jar has, independent of its services. */
export function standardMetrics(metrics: Metrics, { version, work }: StandardMetricsOptions): StandardMetrics {
  const requests = metrics.counter({
    name: 'cloudjar_requests_total',
    help: 'Requests answered, by service, operation and status.',
    labels: ['service', 'operation', 'status'],
    maxSeries: 5_000,
  });
  const durations = metrics.histogram({
    name: 'cloudjar_request_duration_seconds',
    help: 'Time from a request received to its answer, by service and operation.',
    labels: ['service', 'operation'],
  });
  const runs = metrics.counter({
    name: 'cloudjar_work_runs_total',
    help: 'Runs of due work, by kind and outcome.',
    labels: ['kind', 'outcome'],
  });
  const deliveries = metrics.counter({
    name: 'cloudjar_deliveries_total',
    help: 'Attempts at outbound deliveries, by service and outcome.',
    labels: ['service', 'outcome'],
  });
  declareWork(metrics, work);
  declareProcess(metrics, version);

  return {
    operation(service, operation) {
      const duration = durations.with(service, operation);
      const byStatus: (Counter | undefined)[] = [];
      return {
        finished(status, seconds) {
          const counter = byStatus[status] ?? requests.with(service, operation, String(status));
          byStatus[status] = counter;
          counter.inc();
          duration.observe(seconds);
        },
      };
    },
    workRun: (kind, outcome) => runs.with(kind, outcome).inc(),
    delivery: (service, outcome) => deliveries.with(service, outcome).inc(),
  };
}

function declareWork(metrics: Metrics, work: WorkGauges): void {
  metrics.collectedGauge({
    name: 'cloudjar_work_waiting',
    help: 'Work items that wait for their due time or a free handler.',
    collect: () => work.waiting(),
  });
  metrics.collectedGauge({
    name: 'cloudjar_work_leased',
    help: 'Work items that are running.',
    collect: () => work.leased(),
  });
  metrics.collectedGauge({
    name: 'cloudjar_work_parked',
    help: 'Work items that failed too often and are kept for inspection.',
    collect: () => work.parked(),
  });
  metrics.collectedGauge({
    name: 'cloudjar_work_oldest_due_age_seconds',
    help: "How long the oldest due work item has been waiting, by the jar's clock.",
    collect: () => work.oldestDueAgeSeconds(),
  });
}

function declareProcess(metrics: Metrics, version: string): void {
  metrics.collectedGauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process.',
    collect: () => process.memoryUsage.rss(),
  });
  metrics.collectedGauge({
    name: 'process_start_time_seconds',
    help: "When the process started, by the system's clock.",
    collect: () => performance.timeOrigin / 1000,
  });
  metrics
    .gauge({
      name: 'cloudjar_build_info',
      help: 'Always 1; the labels have the versions of the jar and Node.',
      labels: ['version', 'node'],
    })
    .with(version, process.version)
    .set(1);
}
