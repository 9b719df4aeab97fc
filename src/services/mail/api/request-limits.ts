import type { Caller } from '../../../kernel/auth/index.ts';
import { retryHeaders, type Use } from '../../../kernel/limits/index.ts';
import { errors } from '../errors.ts';
import type { MailJar } from '../jar.ts';
import { CONCURRENT_REQUESTS, REQUESTS, UPLOADED_BYTES } from '../limits.ts';

/** A request as the limits see it. */
export interface Turn {
  readonly application: string;
  readonly mailbox: string;
  readonly caller: Pick<Caller, 'objectId' | 'name'>;
  /** Bytes of the body. */
  readonly bytes: number;
}

/** Acquires the limits of the request's application and mailbox, or throws. Returns a function that releases them. */
export async function acquireRequestLimits(
  { limits }: Pick<MailJar, 'limits'>,
  { application, mailbox, caller, bytes }: Turn,
): Promise<(() => void) | undefined> {
  const scope = [application.toLowerCase(), mailbox];
  const uses = [
    { limit: REQUESTS, scope },
    { limit: CONCURRENT_REQUESTS, scope },
    ...(bytes > 0 ? [{ limit: UPLOADED_BYTES, scope, cost: bytes }] : []),
  ];
  return acquireLimits(limits, uses, caller);
}

/** Counts a request against limits, or throws 429 if one is exhausted. Returns a function that releases them. */
export async function acquireLimits(
  limits: MailJar['limits'],
  uses: readonly Use[],
  caller: Turn['caller'],
): Promise<(() => void) | undefined> {
  const taken = limits.take(uses, { id: caller.objectId, name: caller.name });
  const decision = taken instanceof Promise ? await taken : taken;
  if (decision.allowed) return decision.release;
  const { refusedBy, retryAfterSeconds } = decision;
  const reason = `${refusedBy?.title ?? 'Too many requests'}: at most ${decision.readings.find(({ limit }) => limit === refusedBy)?.maximum}. The limit is '${refusedBy?.name}'; try again in ${retryAfterSeconds} seconds.`;
  const code = refusedBy === CONCURRENT_REQUESTS ? errors.ApplicationThrottled : errors.TooManyRequests;
  throw code({ reason }, { headers: retryHeaders(decision) });
}
