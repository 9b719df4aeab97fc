export type { Logger } from './log.ts';
export type { Counter, Metrics } from './metrics.ts';
export { isSecretName, REDACTED } from './redact.ts';
