import type { Counter, Metrics } from '../../../kernel/telemetry/index.ts';

export const ignoredLogsOf = (metrics: Metrics): Counter =>
  metrics
    .counter({
      name: 'cloudjar_lifecycle_ignored_logs_total',
      help: 'Logs of apps that were not taken, since they cannot be read or are of a type that is not known.',
    })
    .with();
