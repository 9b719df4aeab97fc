import { countWrongCredential, retryHeaders, sourceOf, type WindowLimit } from '../../../kernel/limits/index.ts';
import { formatDuration } from '../../../kernel/time/index.ts';
import { gateway } from '../errors.ts';
import type { LifecycleCall } from '../jar.ts';
import { REQUESTS, WRONG_TOKENS } from '../limits.ts';

/** Runs before the token is examined. Returns no promise in the ordinary case. */
export function admitSource({ jar, remoteAddress }: LifecycleCall): Promise<void> | void {
  const source = sourceOf(remoteAddress);
  if (jar.limits.overrides.of(REQUESTS, [source]).mode !== 'unlimited') return countRequest(jar, source);
}

async function countRequest({ limits }: LifecycleCall['jar'], source: string): Promise<void> {
  const { allowed, retryAfterSeconds } = await limits.take([{ limit: REQUESTS, scope: [source] }], { id: source });
  if (allowed) return;
  throw refusal(REQUESTS, { source, retryAfterSeconds, ...limits.overrides.of(REQUESTS, [source]) });
}

/** Called when a token is unknown. Throws if the source exceeds the limit; a known token is always accepted. */
export async function countUnknownToken({ jar, remoteAddress }: LifecycleCall): Promise<void> {
  const tooMany = await countWrongCredential({ jar, remoteAddress, limits: [WRONG_TOKENS] });
  if (tooMany) throw refusal(WRONG_TOKENS, tooMany);
}

interface Exceeded {
  readonly source: string;
  readonly retryAfterSeconds: number;
  readonly maximum: number;
  readonly windowMs: number;
}

function refusal(limit: WindowLimit, { source, retryAfterSeconds, maximum, windowMs }: Exceeded) {
  const what = limit === REQUESTS ? 'requests' : 'wrong API tokens';
  const most = `${maximum} in ${formatDuration(windowMs)} at most`;
  const message = `Too many ${what} from ${source}: ${most}; try again in ${retryAfterSeconds} s.`;
  return gateway.tooMany(message, retryHeaders({ retryAfterSeconds }));
}
