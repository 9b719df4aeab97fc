import type { ApiError } from '../../../kernel/http/index.ts';
import { type Decision, limitStep, retryHeaders, type Use } from '../../../kernel/limits/index.ts';
import { errors } from '../errors.ts';
import type { DatasetsCall } from '../jar.ts';
import { USER_REQUESTS } from '../limits.ts';

const LIMITS = [USER_REQUESTS];

/** Family step: requests per user and minute. */
export const throttleUser = limitStep<DatasetsCall>({
  limits: () => LIMITS,
  scopes: { user: ({ caller }) => caller?.objectId.toLowerCase() ?? '' },
  refuse: tooMany,
});

/** Takes from all of these limits or from none; throws 429 if one of them refuses. */
export async function takeRates({ jar, caller }: DatasetsCall, uses: readonly Use[]): Promise<Decision> {
  const client = caller && { id: caller.objectId, name: caller.name };
  const taken = jar.limits.take(uses, client);
  const decision = taken instanceof Promise ? await taken : taken;
  if (!decision.allowed) throw tooMany(decision);
  return decision;
}

function tooMany(decision: Decision): ApiError {
  const { refusedBy, readings, retryAfterSeconds } = decision;
  const { maximum } = readings.find(({ limit }) => limit === refusedBy) ?? {};
  const { title = '', name = '' } = refusedBy ?? {};
  const reason = `${title}: at most ${maximum}. The limit is '${name}'; try again in ${retryAfterSeconds} seconds.`;
  return errors.TooManyRequests({ reason }, { headers: retryHeaders(decision) });
}
