import { formatDuration } from '../../../kernel/clock/duration.ts';
import type { Call } from '../../../kernel/http/route.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import { type Decision, retryHeaders } from '../../../kernel/limits/index.ts';
import { gateway } from '../errors.ts';
import { REQUESTS, WRONG_TOKENS } from '../limits.ts';

/** Guessing tokens: an address that sends too many that nobody has is not listened to for a while, whatever it sends. */

/** Addresses that have sent a wrong token lately, and those only are looked up before every request. On this node. */
const suspects = new WeakMap<Jar, Map<string, number>>();
const MOST_SUSPECTS = 10_000;

function suspectsOf(jar: Jar): Map<string, number> {
  let known = suspects.get(jar);
  if (!known) {
    known = new Map();
    suspects.set(jar, known);
  }
  return known;
}

/** Before a token is looked at. Gives nothing to wait for in the ordinary case. */
export function admitSource(call: Call): Promise<void> | void {
  const { jar, remoteAddress } = call;
  if (jar.limits.overrides.of(REQUESTS, [remoteAddress]).mode !== 'unlimited') return countRequest(call);
  return admitSuspect(call);
}

async function countRequest(call: Call): Promise<void> {
  const { jar, remoteAddress } = call;
  const decision = await jar.limits.take([{ limit: REQUESTS, scope: [remoteAddress] }], { id: remoteAddress });
  if (!decision.allowed) throw refusal(call, decision, 'requests');
  await admitSuspect(call);
}

function admitSuspect(call: Call): Promise<void> | void {
  const { jar, remoteAddress } = call;
  const known = suspectsOf(jar);
  const lastAt = known.get(remoteAddress);
  if (lastAt === undefined) return;
  const { windowMs } = jar.limits.overrides.of(WRONG_TOKENS, [remoteAddress]);
  if (jar.clock.now() - lastAt > windowMs) known.delete(remoteAddress);
  else return refuseGuesser(call);
}

async function refuseGuesser(call: Call): Promise<void> {
  const decision = await call.jar.limits.take([{ limit: WRONG_TOKENS, scope: [call.remoteAddress], cost: 0 }]);
  const [reading] = decision.readings;
  if (reading !== undefined && reading.remaining > 0) return;
  await noteWrongToken(call);
}

/** After a token was found to be nobody's. Throws where it is one too many. */
export async function noteWrongToken(call: Call): Promise<void> {
  const { jar, remoteAddress } = call;
  const known = suspectsOf(jar);
  if (known.size >= MOST_SUSPECTS) known.clear();
  known.set(remoteAddress, jar.clock.now());
  const client = { id: remoteAddress };
  const decision = await jar.limits.take([{ limit: WRONG_TOKENS, scope: [remoteAddress] }], client);
  if (decision.allowed) return;
  jar.log.warn({ source: remoteAddress }, 'an address tries API tokens that nobody has');
  throw refusal(call, decision, 'wrong API tokens');
}

function refusal({ jar, remoteAddress }: Call, decision: Decision, what: string) {
  const { maximum, windowMs } = jar.limits.overrides.of(what === 'requests' ? REQUESTS : WRONG_TOKENS, [remoteAddress]);
  const wait = `try again in ${decision.retryAfterSeconds} s`;
  const message = `Too many ${what} from ${remoteAddress}: ${maximum} in ${formatDuration(windowMs)} at most; ${wait}.`;
  return gateway.tooMany(message, retryHeaders(decision));
}
