import { type Static, Type } from 'typebox';
import { checkAnswerBody, type Refuse, readHeaders, refuseUnknown } from '../../kernel/faults/index.ts';
import type { Behaviour, Inbox } from './collections.ts';
import { inboxErrors } from './errors.ts';

const MOST_DELAY_MS = 600_000;
const FAILED_STATUS = 503;

const Fail = Type.Object({
  times: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  status: Type.Optional(Type.Integer({ minimum: 300, maximum: 599 })),
});

/** `readBehaviour` rejects unknown members, because it can suggest the intended name. */
export const BehaviourSchema = Type.Object({
  fail: Type.Optional(Fail),
  status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
  headers: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
  body: Type.Optional(Type.Unknown()),
  delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_DELAY_MS })),
  handshake: Type.Optional(Type.Enum(['answer', 'ignore', 'refuse', 'manual'])),
});

export const BehaviourView = Type.Object({
  fail: Type.Optional(Type.Object({ times: Type.Integer(), status: Type.Integer(), left: Type.Integer() })),
  status: Type.Integer(),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.Optional(Type.Unknown()),
  delayMs: Type.Integer(),
  handshake: Type.String(),
});

/** Validates a requested behaviour; errors name the invalid member. The schema has already checked the types. */
export function readBehaviour(asked: Static<typeof BehaviourSchema>): Behaviour {
  refuseUnknown(asked, BehaviourSchema, '', bad);
  if (asked.fail) refuseUnknown(asked.fail, Fail, 'fail.', bad);
  const { fail, headers, ...rest } = asked;
  checkAnswerBody(rest.body, rest.status ?? 200, 'body', bad);
  return {
    ...rest,
    ...(fail && { fail: { times: fail.times, status: fail.status ?? FAILED_STATUS } }),
    ...(headers && { headers: readHeaders(headers, 'headers', bad) }),
  };
}

export function behaviourView({ behaviour = {}, failed }: Pick<Inbox, 'behaviour' | 'failed'>): object {
  const { fail, status = 200, headers = {}, delayMs = 0, handshake = 'answer', ...rest } = behaviour;
  const left = fail && Math.max(0, fail.times - failed);
  return { ...rest, status, headers, delayMs, handshake, ...(fail && { fail: { ...fail, left } }) };
}

const bad: Refuse = (field, reason) => inboxErrors.BadBehaviour({ field, reason }, { target: field });
