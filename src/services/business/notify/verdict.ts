import type { AttemptResult, Verdict } from '../../../kernel/delivery/index.ts';

const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 429]);

/** No answer counts as a receiver that is down for a while. */
export function verdictOn({ status }: Pick<AttemptResult, 'status'>): Verdict {
  if (status === undefined || status >= 500 || RETRIED_STATUSES.has(status)) return { is: 'retry' };
  return { is: status >= 200 && status < 300 ? 'delivered' : 'refused' };
}
