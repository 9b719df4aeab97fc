/** Names of delivery policies, which queued deliveries carry: they never change. */

export const REGISTRY_WEBHOOK = 'platform.registry-webhook';
/** Webhooks that begin a run of a job. */
export const REGISTRY_JOB = 'platform.registry-job';
/** Of the open-source API. */
export const OPEN_WEBHOOK = 'platform.mlflow-webhook';

/** By what a webhook of the platform leads to. */
export const policyFor = ({ kind }: { readonly kind: 'http' | 'job' }) =>
  kind === 'http' ? REGISTRY_WEBHOOK : REGISTRY_JOB;

export const REGISTRY_POLICY_NAMES = [REGISTRY_WEBHOOK, REGISTRY_JOB, OPEN_WEBHOOK] as const;
