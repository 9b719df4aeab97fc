/** Names of delivery policies. Queued deliveries store them, so they must never change. */

export const REGISTRY_WEBHOOK = 'platform.registry-webhook';
/** Webhooks that start a run of a job. */
export const REGISTRY_JOB = 'platform.registry-job';
/** Webhooks of the open-source API. */
export const OPEN_WEBHOOK = 'platform.mlflow-webhook';

/** The policy of a platform webhook, by the kind of its target. */
export const policyFor = ({ kind }: { readonly kind: 'http' | 'job' }) =>
  kind === 'http' ? REGISTRY_WEBHOOK : REGISTRY_JOB;

export const REGISTRY_POLICY_NAMES = [REGISTRY_WEBHOOK, REGISTRY_JOB, OPEN_WEBHOOK] as const;
