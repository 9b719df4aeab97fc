import type { Counter, Metrics } from '../../../kernel/telemetry/index.ts';

export const ignoredLogsOf = (metrics: Metrics): Counter =>
  metrics
    .counter({
      name: 'cloudjar_lifecycle_ignored_logs_total',
      help: 'App logs that were ignored because they are invalid or of an unknown type.',
    })
    .with();
