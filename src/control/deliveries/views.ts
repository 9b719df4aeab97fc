import { type Static, Type } from 'typebox';
import {
  type Attempt,
  DELIVERY_STATES,
  type DeliveryRecord,
  type DestinationRecord,
  deliveries,
  deliveryBodies,
  destinations,
  laneOfQueue,
  openTarget,
  ownerOf,
  queueOf,
} from '../../kernel/delivery/index.ts';
import type { Item } from '../../kernel/odata/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import type { Stored } from '../../kernel/store/index.ts';
import { isSecretName, REDACTED, redactBody } from '../../kernel/telemetry/index.ts';
import { DESTINATION_STATES, stateOf } from './destinations.ts';

const Text = Type.Optional(Type.String());

const AttemptView = Type.Object({
  number: Type.Integer(),
  at: Type.String(),
  ms: Type.Number(),
  status: Type.Optional(Type.Integer()),
  outcome: Type.String(),
  error: Text,
  response: Text,
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  rule: Type.String(),
  nextAt: Text,
  fault: Text,
});

export const DeliveryView = Type.Object({
  id: Type.String(),
  state: Type.Enum([...DELIVERY_STATES]),
  service: Type.String(),
  policy: Type.String(),
  destination: Type.String(),
  owner: Text,
  subject: Text,
  /** Without the query string, which may contain a secret. */
  address: Type.String(),
  createdAt: Type.String(),
  dueAt: Text,
  expiresAt: Text,
  endedAt: Text,
  cause: Text,
  rule: Text,
  attempts: Type.Integer(),
  replays: Type.Integer(),
  bodyBytes: Type.Integer(),
  lastAttempt: Type.Optional(AttemptView),
});

/** Why a queued delivery may have to wait: earlier messages to its destination failed. */
const DestinationFailures = Type.Object({
  state: Type.Enum([...DESTINATION_STATES]),
  failures: Type.Integer(),
  since: Type.String(),
  outcome: Type.String(),
  status: Type.Optional(Type.Integer()),
  error: Text,
  until: Text,
});

export const DeliveryDetail = Type.Object({
  ...DeliveryView.properties,
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.String(),
  /** The first few attempts and the last few. */
  history: Type.Array(AttemptView),
  /** When a queued delivery is sent: when it is due, or after the probation of its destination. */
  nextAttemptAt: Text,
  destinationFailures: Type.Optional(DestinationFailures),
});

export const DestinationView = Type.Object({
  policy: Type.String(),
  service: Type.String(),
  destination: Type.String(),
  address: Type.String(),
  state: Type.Enum([...DESTINATION_STATES]),
  failures: Type.Integer(),
  since: Type.String(),
  lastAt: Type.String(),
  outcome: Type.String(),
  status: Type.Optional(Type.Integer()),
  error: Text,
  probations: Type.Integer(),
  until: Text,
  queued: Type.Integer(),
});

const iso = (time: number): string => new Date(time).toISOString();

export function deliveryView({ key, value }: Item<DeliveryRecord>): Static<typeof DeliveryView> {
  const last = value.history.at(-1);
  return {
    id: key,
    state: value.state,
    service: value.service,
    policy: value.policy,
    destination: value.destination,
    owner: ownerOf(value),
    subject: value.subject,
    address: value.address,
    createdAt: iso(value.createdAt),
    ...(value.state === 'queued' && { dueAt: iso(value.dueAt) }),
    ...(value.expiresAt !== undefined && { expiresAt: iso(value.expiresAt) }),
    ...(value.endedAt !== undefined && { endedAt: iso(value.endedAt) }),
    cause: value.cause,
    rule: value.rule,
    attempts: value.attempts,
    replays: value.replays ?? 0,
    bodyBytes: value.bodyBytes,
    ...(last && { lastAttempt: attemptView(last) }),
  };
}

export async function deliveryDetail(jar: Jar, stored: Stored<DeliveryRecord>): Promise<Static<typeof DeliveryDetail>> {
  const { key, value } = stored;
  const { headers = {} } = openTarget(jar.vault, value);
  const failing =
    value.state === 'queued' && (await jar.store.get(destinations, queueOf(value.policy, value.destination)));
  return {
    ...deliveryView(stored),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [name, isSecretName(name) ? REDACTED : text]),
    ),
    body: value.body ?? (await jar.store.get(deliveryBodies, key))?.value.body ?? '',
    history: value.history.map(attemptView),
    ...(value.state === 'queued' && {
      nextAttemptAt: iso(Math.max(value.dueAt, failing ? (failing.value.until ?? 0) : 0)),
    }),
    ...(failing && { destinationFailures: failuresView(failing.value, jar.clock.now()) }),
  };
}

type View = Static<typeof DeliveryView>;
type Detail = Static<typeof DeliveryDetail>;

/** For people who may only look: without codes, consents and client states in the receiver's answer. */
export const readersView = <V extends View>(view: V): V =>
  view.lastAttempt ? { ...view, lastAttempt: withoutSecrets(view.lastAttempt) } : view;

/** The same in the body and in all answers. */
export const readersDetail = (detail: Detail): Detail => ({
  ...readersView(detail),
  body: redactBody(detail.body, String(detail.headers['content-type'] ?? '')),
  history: detail.history.map(withoutSecrets),
});

const withoutSecrets = ({ response, ...attempt }: Static<typeof AttemptView>): Static<typeof AttemptView> => ({
  ...attempt,
  ...(response !== undefined && { response: redactBody(response, '') }),
});

function failuresView(record: DestinationRecord, now: number): Static<typeof DestinationFailures> {
  const { failures, since, outcome, status, error, until } = record;
  return {
    state: stateOf(record, now),
    failures,
    since: iso(since),
    outcome,
    status,
    error,
    ...(until !== undefined && { until: iso(until) }),
  };
}

export async function destinationView(
  { store, clock }: Jar,
  { key, value }: Item<DestinationRecord>,
): Promise<Static<typeof DestinationView>> {
  const { policy, service, destination, address, lastAt, probations } = value;
  return {
    policy,
    service,
    destination,
    address,
    ...failuresView(value, clock.now()),
    lastAt: iso(lastAt),
    probations,
    queued: await store.count(deliveries, { filter: { op: 'eq', field: 'line', value: laneOfQueue(key) } }),
  };
}

function attemptView({ at, nextAt, ...attempt }: Attempt): Static<typeof AttemptView> {
  return {
    ...attempt,
    at: iso(at),
    headers: attempt.headers && { ...attempt.headers },
    ...(nextAt !== undefined && { nextAt: iso(nextAt) }),
  };
}
