import { type Decision, retryHeaders, type WindowLimit } from '../../../kernel/limits/index.ts';
import { formatDuration } from '../../../kernel/time/index.ts';
import { gateway } from '../errors.ts';
import type { LifecycleCall, LifecycleJar } from '../jar.ts';
import { REQUESTS, WRONG_TOKENS } from '../limits.ts';
import { sourceOf } from './source-of.ts';

/** Guessing tokens: an address that sends too many that nobody has is not listened to for a while, whatever it sends. */

/** What counting takes of a jar. */
export type CountingJar = Pick<LifecycleJar, 'limits' | 'clock' | 'log' | 'suspects'>;

type Asking = Pick<LifecycleCall, 'remoteAddress'> & { readonly jar: CountingJar };

/** Before a token is looked at. Gives nothing to wait for in the ordinary case. */
export function admitSource({ jar, remoteAddress }: Asking): Promise<void> | void {
  const source = sourceOf(remoteAddress);
  if (jar.limits.overrides.of(REQUESTS, [source]).mode !== 'unlimited') return countRequest(jar, source);
  return admitSuspect(jar, source);
}

async function countRequest(jar: CountingJar, source: string): Promise<void> {
  const decision = await jar.limits.take([{ limit: REQUESTS, scope: [source] }], { id: source });
  if (!decision.allowed) throw refusal(jar, source, decision, REQUESTS);
  await admitSuspect(jar, source);
}

function admitSuspect(jar: CountingJar, source: string): Promise<void> | void {
  const lastAt = jar.suspects.lastAt(source);
  if (lastAt === undefined) return;
  const { windowMs } = jar.limits.overrides.of(WRONG_TOKENS, [source]);
  if (jar.clock.now() - lastAt > windowMs) jar.suspects.clear(source);
  else return refuseGuesser(jar, source);
}

async function refuseGuesser(jar: CountingJar, source: string): Promise<void> {
  const decision = await jar.limits.take([{ limit: WRONG_TOKENS, scope: [source], cost: 0 }]);
  const [reading] = decision.readings;
  if (reading !== undefined && reading.remaining > 0) return;
  await countWrongToken(jar, source);
}

/** After a token was found to be nobody's. Throws where it is one too many. */
export const noteWrongToken = ({ jar, remoteAddress }: Asking): Promise<void> =>
  countWrongToken(jar, sourceOf(remoteAddress));

async function countWrongToken(jar: CountingJar, source: string): Promise<void> {
  jar.suspects.note(source, jar.clock.now());
  const decision = await jar.limits.take([{ limit: WRONG_TOKENS, scope: [source] }], { id: source });
  if (decision.allowed) return;
  jar.log.warn({ source }, 'an address tries API tokens that nobody has');
  throw refusal(jar, source, decision, WRONG_TOKENS);
}

function refusal({ limits }: CountingJar, source: string, { retryAfterSeconds }: Decision, limit: WindowLimit) {
  const what = limit === REQUESTS ? 'requests' : 'wrong API tokens';
  const { maximum, windowMs } = limits.overrides.of(limit, [source]);
  const most = `${maximum} in ${formatDuration(windowMs)} at most`;
  const message = `Too many ${what} from ${source}: ${most}; try again in ${retryAfterSeconds} s.`;
  return gateway.tooMany(message, retryHeaders({ retryAfterSeconds }));
}
