import { failureOf, type Outcome, type Reply } from '../../../../kernel/delivery/index.ts';
import { failed } from '../replies.ts';

/** Maps AMQP error conditions to outcomes of event delivery. A message rejected with any other condition is a bad request. */
const BY_CONDITION: Readonly<Record<string, Outcome>> = {
  'amqp:not-found': 'NotFound',
  'amqp:resource-deleted': 'NotFound',
  'amqp:link:detach-forced': 'SocketError',
  'amqp:unauthorized-access': 'Unauthorized',
  'amqp:not-allowed': 'Forbidden',
  'amqp:resource-locked': 'Busy',
  'amqp:resource-limit-exceeded': 'Full',
  'amqp:link:message-size-exceeded': 'PayloadTooLarge',
  'amqp:frame-size-too-small': 'PayloadTooLarge',
  'amqp:internal-error': 'Busy',
  'amqp:connection:forced': 'SocketError',
  'amqp:connection:framing-error': 'SocketError',
  'amqp:precondition-failed': 'BadRequest',
  'amqp:invalid-field': 'BadRequest',
  'amqp:not-implemented': 'BadRequest',
  'amqp:decode-error': 'BadRequest',
  'com.microsoft:server-busy': 'Busy',
  'com.microsoft:timeout': 'TimedOut',
  'com.microsoft:entity-disabled': 'Disabled',
  'com.microsoft:entity-not-found': 'NotFound',
  'com.microsoft:auth-failed': 'Unauthorized',
  'com.microsoft:message-too-large': 'PayloadTooLarge',
};

export interface Condition {
  readonly condition?: string;
  readonly description?: string;
}

function replyOfCondition({ condition = '', description = '' }: Condition): Reply {
  const said = [condition, description].filter((part) => part !== '').join(': ');
  return failed(BY_CONDITION[condition] ?? 'BadRequest', said);
}

/**
 * Reply for a broken connection, from the broker's error condition or the system's error. An unknown condition says nothing about the
 * messages.
 */
export function replyOfBreak(error: unknown): Reply {
  if (isCondition(error)) {
    const reply = replyOfCondition(error);
    return BY_CONDITION[error.condition ?? ''] === undefined ? { ...reply, outcome: 'SocketError' } : reply;
  }
  return error === undefined ? failed('SocketError', 'the broker closed the connection') : failureOf(error);
}

/** One message caused the break, and the broker does not say which: the other messages under way must not be refused for it. */
const BY_ONE_MESSAGE: ReadonlySet<Outcome> = new Set(['PayloadTooLarge', 'BadRequest']);

export function replyOfSharedBreak(reply: Reply, underWay: number): Reply {
  if (underWay <= 1 || !BY_ONE_MESSAGE.has(reply.outcome)) return reply;
  return failed('SocketError', `one of ${underWay} messages under way ended the link: ${reply.error ?? reply.outcome}`);
}

const isCondition = (error: unknown): error is Condition =>
  typeof error === 'object' && error !== null && 'condition' in error && typeof error.condition === 'string';

export const rejected = (error: Condition | undefined): Reply =>
  error?.condition
    ? replyOfCondition(error)
    : // Rejected without a reason: the queue is full and configured to reject.
      failed('Full', 'the broker rejected the message without a reason');

export const released = (): Reply =>
  failed('NotFound', 'the broker released the message: nothing at this address accepts it');

export const modified = (): Reply => failed('Busy', 'the broker returned the message');
