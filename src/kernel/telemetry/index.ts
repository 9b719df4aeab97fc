export type { Logger } from './log.ts';
export { type Counter, METRICS_CONTENT_TYPE, type Metrics } from './metrics.ts';
export { isSecretName, REDACTED } from './redact.ts';
