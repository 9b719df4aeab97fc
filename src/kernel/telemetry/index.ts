export type { Logger } from './log.ts';
export { type Counter, METRICS_CONTENT_TYPE, type Metrics } from './metrics.ts';
export { isSecretName, REDACTED, redactText, redactUrl, SECRET_PARTS_HEADER, WHOLE_QUERY } from './redact.ts';
export type { RequestEntry, RequestLog } from './request-log.ts';
