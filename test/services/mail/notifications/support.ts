import type { TestInbox } from '../../../../src/testing/index.ts';
import type { Bench, CallOptions, Reply } from '../../../support/jars.ts';

export interface Notification {
  readonly subscriptionId: string;
  readonly changeType?: string;
  readonly lifecycleEvent?: string;
  readonly resourceData?: { readonly id: string; readonly [name: string]: unknown };
  readonly [name: string]: unknown;
}

/** The time after the given minutes, by the jar's clock. */
export const inMinutes = (bench: Bench, minutes: number): string =>
  new Date(bench.jar.clock.now().getTime() + minutes * 60_000).toISOString();

export function subscribe(bench: Bench, given: object, options: CallOptions = {}): Promise<Reply> {
  const body = {
    changeType: 'created,updated,deleted',
    notificationUrl: bench.jar.inbox('changes').httpsUrl,
    resource: 'me/messages',
    expirationDateTime: inMinutes(bench, 600),
    ...given,
  };
  return bench.call('POST', '/v1.0/subscriptions', { body, ...options });
}

// biome-ignore lint/suspicious/noExplicitAny: the subscription as it was answered
export async function subscribed(bench: Bench, given: object, options: CallOptions = {}): Promise<any> {
  const reply = await subscribe(bench, given, options);
  if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
  return reply.body;
}

/**
 * The notifications of all messages that an inbox received, oldest first. On a busy machine a response can be too slow, and its
 * notifications are then repeated.
 */
export async function told(inbox: TestInbox): Promise<readonly Notification[]> {
  const requests = await inbox.requests();
  const all = requests
    .filter(({ handshake, answered }) => handshake === null && answered.status < 300)
    .flatMap((request) => request.json().value as Notification[]);
  return [...new Map(all.map((each) => [each.id ?? JSON.stringify(each), each])).values()];
}

/** Waits until everything has arrived, including retries. */
export const arrived = async ({ jar }: Bench): Promise<void> => void (await jar.clock.advance('1m'));

/** Notifications as `created 1`: the change type and the index of the item in `ids`. */
export const inShort = (notifications: readonly Notification[], ids: readonly string[]): readonly string[] =>
  notifications.map(({ changeType, resourceData }) => `${changeType} ${ids.indexOf(resourceData?.id ?? '') + 1}`);
