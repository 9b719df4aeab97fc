import { defineWork } from '../../../../kernel/work/index.ts';

/**
 * Advances a private endpoint that is created, has waited too long for approval, or was deactivated long enough ago to be removed. `key` is
 * that of the rule.
 */
export const STEP_ENDPOINT = defineWork<{ readonly key: string }>('platform.step-endpoint', {
  title: 'Advances a private endpoint',
  subject: 'key',
  concurrency: 4,
});

export const stepEndpointId = (key: string): string => `${STEP_ENDPOINT.kind}:${key}`;
