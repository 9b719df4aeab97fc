import type { PageSizes } from '../engine/paging.ts';
import { trackingErrors } from './errors.ts';
import type { Request } from './request.ts';

/** Page size from `max_results`. Unlike in other APIs of the platform, a value above the maximum is refused. */
export function mostResults(request: Request, { usual, most }: PageSizes): number {
  const asked = request.whole('max_results');
  if (asked === undefined) return usual;
  const refuse = (reason: string) =>
    trackingErrors.INVALID_PARAMETER_VALUE({
      reason: `Invalid value ${asked} for parameter 'max_results' supplied. ${reason}`,
    });
  if (asked <= 0) throw refuse('It must be a positive integer');
  if (asked > most) throw refuse(`It must be at most ${most}`);
  return asked;
}
