/** The name of the delivery policy, which queued deliveries carry: it never changes. */
export const JOB_WEBHOOK = 'platform.job-webhook';
