import { type AttemptResult, type DueDelivery, shortened, withoutSecrets } from '../../../kernel/delivery/index.ts';
import { atMost, type Tx } from '../../../kernel/store/index.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import { endpoints } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import type { Endpoint, EndpointState, Minute, QueuedNotification } from './types.ts';

/**
 * How fast receivers answer decides how they are notified. Where too many answers of ten minutes are slow, new notifications are delayed for ten
 * minutes; where too many are very slow, they are dropped. What is sent afterwards shows whether the receiver has recovered.
 */
const RULES = [
  { is: 'drop', overMs: 10 * SECOND_MS, share: 0.15 },
  { is: 'slow', overMs: 3 * SECOND_MS, share: 0.1 },
] as const;

const WINDOW_MINUTES = 10;
const WINDOW_MS = WINDOW_MINUTES * MINUTE_MS;
/** A share of fewer answers says little: one answer of a receiver that has just started would decide. */
export const FEWEST_ANSWERS = 10;
/** After a state, a few answers show whether it is over. */
const PROBES = 3;

/** One tenant's trouble with a receiver is not another's. */
export const endpointKey = (tenantId: string, url: string): string => shortened(`${tenantId} ${url}`);

/** Counts an answer, and finds the state that follows. */
export async function noteAnswer(
  tx: Tx,
  [first]: readonly DueDelivery[],
  { status, outcome, ms }: AttemptResult,
  { clock }: Pick<MailJar, 'clock'>,
): Promise<void> {
  // Who refuses a connection at once is not slow.
  if (!first || (status === undefined && outcome !== 'TimedOut')) return;
  const { tenantId } = (JSON.parse(first.body) as QueuedNotification).subscription;
  const key = endpointKey(tenantId, first.url);
  const now = clock.now();
  const known = (await tx.get(endpoints, key))?.value;
  if (!known) await forgetOld(tx, now);
  const before = known ?? { tenantId, address: withoutSecrets(first.url), minutes: [], lost: 0, lastAt: now };
  const took = outcome === 'TimedOut' && status === undefined ? Number.POSITIVE_INFINITY : ms;
  await tx.put(endpoints, key, answered(before, took, now));
}

/** The endpoint after one more answer. */
export function answered(before: Endpoint, ms: number, now: number): Endpoint {
  const minutes = withAnswer(before.minutes, ms, now);
  const after = { ...before, minutes, lastAt: now };
  const { answers, slow, late } = sumOf(minutes);
  const isActive = stateOf(before, now) !== undefined;
  if (answers < (before.state ? PROBES : FEWEST_ANSWERS)) return after;
  const over = { slow, drop: late };
  const rule = RULES.find(({ is, share }) => over[is] > answers * share);
  if (!rule) {
    const { state: _, ...recovered } = after;
    return isActive ? after : recovered;
  }
  // A state that is in force gets worse, never longer. When it ends, the answers that led to it have left the window.
  if (isActive && !(rule.is === 'drop' && before.state?.is === 'slow')) return after;
  return { ...after, state: { is: rule.is, until: now + WINDOW_MS } };
}

function withAnswer(minutes: readonly Minute[], ms: number, now: number): readonly Minute[] {
  const minute = Math.floor(now / MINUTE_MS);
  const recent = minutes.filter((each) => each.minute > minute - WINDOW_MINUTES);
  const last = recent.at(-1);
  const current = last?.minute === minute ? last : { minute, answers: 0, slow: 0, late: 0 };
  const [drop, slow] = RULES;
  const counted = {
    minute,
    answers: current.answers + 1,
    slow: current.slow + Number(ms > slow.overMs),
    late: current.late + Number(ms > drop.overMs),
  };
  return [...recent.filter((each) => each !== current), counted];
}

export const sumOf = (minutes: readonly Minute[]): Omit<Minute, 'minute'> =>
  minutes.reduce(
    (sum, { answers, slow, late }) => ({
      answers: sum.answers + answers,
      slow: sum.slow + slow,
      late: sum.late + late,
    }),
    { answers: 0, slow: 0, late: 0 },
  );

/** The state in force; undefined where notifications are sent at once. */
export const stateOf = ({ state }: Pick<Endpoint, 'state'>, now: number): EndpointState | undefined =>
  state && state.until > now ? state : undefined;

/** How long it takes until nothing of an endpoint counts any more. */
const KEPT_MS = HOUR_MS;
const FEW = 10;

/** With each new one a few old ones go, so that their number follows that of the receivers in use. */
async function forgetOld(tx: Tx, now: number): Promise<void> {
  const { items } = await tx.query(endpoints, {
    filter: atMost('lastAt', now - KEPT_MS),
    order: [{ field: 'lastAt' }],
    limit: FEW,
  });
  for (const { key } of items) await tx.delete(endpoints, key);
}
