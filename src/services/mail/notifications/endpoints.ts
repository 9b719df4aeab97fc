import { type AttemptResult, type DueDelivery, shortened, withoutSecrets } from '../../../kernel/delivery/index.ts';
import { atMost, type Tx } from '../../../kernel/store/index.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/time/index.ts';
import { endpoints } from '../collections.ts';
import type { MailJar } from '../jar.ts';
import type { Endpoint, EndpointState, Minute, QueuedNotification } from './types.ts';

/**
 * The response times of a receiver decide how it is notified. If too many responses within ten minutes are slow, new notifications are
 * delayed for ten minutes; if too many are very slow, they are dropped. Notifications that are sent afterwards show if the receiver has
 * recovered.
 */
const RULES = [
  { is: 'drop', overMs: 10 * SECOND_MS, share: 0.15 },
  { is: 'slow', overMs: 3 * SECOND_MS, share: 0.1 },
] as const;

const WINDOW_MINUTES = 10;
const WINDOW_MS = WINDOW_MINUTES * MINUTE_MS;
/** With fewer responses, the share has no meaning: a single response of a new receiver would decide. */
export const FEWEST_RESPONSES = 10;
/** After a state ends, a few responses decide if the receiver has recovered. */
const PROBES = 3;

/** States are per tenant: one tenant's slow receiver does not affect another tenant. */
export const endpointKey = (tenantId: string, url: string): string => shortened(`${tenantId} ${url}`);

/** Counts a response, and computes the resulting state. */
export async function recordResponse(
  tx: Tx,
  [first]: readonly DueDelivery[],
  { status, outcome, ms }: AttemptResult,
  { clock }: Pick<MailJar, 'clock'>,
): Promise<void> {
  // A receiver that refuses the connection at once is not slow.
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

/** The endpoint after one more response. */
export function answered(before: Endpoint, ms: number, now: number): Endpoint {
  const minutes = withAnswer(before.minutes, ms, now);
  const after = { ...before, minutes, lastAt: now };
  const { answers, slow, late } = sumOf(minutes);
  const isActive = stateOf(before, now) !== undefined;
  if (answers < (before.state ? PROBES : FEWEST_RESPONSES)) return after;
  const over = { slow, drop: late };
  const rule = RULES.find(({ is, share }) => over[is] > answers * share);
  if (!rule) {
    const { state: _, ...recovered } = after;
    return isActive ? after : recovered;
  }
  // An active state can become worse but is never extended. When it ends, the responses that led to it are outside the window.
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

/** The active state; undefined if notifications are sent at once. */
export const stateOf = ({ state }: Pick<Endpoint, 'state'>, now: number): EndpointState | undefined =>
  state && state.until > now ? state : undefined;

/** After this time without a response, an endpoint has no effect and can be deleted. */
const KEPT_MS = HOUR_MS;
const FEW = 10;

/** Deletes a few old endpoints for each new one, so that their number follows the number of receivers in use. */
async function forgetOld(tx: Tx, now: number): Promise<void> {
  const { items } = await tx.query(endpoints, {
    filter: atMost('lastAt', now - KEPT_MS),
    order: [{ field: 'lastAt' }],
    limit: FEW,
  });
  for (const { key } of items) await tx.delete(endpoints, key);
}
