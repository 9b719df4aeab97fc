import { deliveries } from '../../../kernel/delivery/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { every } from '../../../kernel/time/index.ts';
import { DeadlinePassed, type Session } from '../api/session.ts';
import { errors } from '../errors.ts';
import { HANDSHAKE } from '../policies.ts';
import { questionUrl } from './verdict.ts';

/** How often to look whether another node has sent it. Real time. */
const LOOK_EVERY_MS = 250;

interface Ended {
  readonly agreed: boolean;
  readonly rule: string;
}

export interface Asked {
  /** Of the subscription that it is for. */
  readonly key: string;
  readonly notificationUrl: string;
}

/**
 * Asks the receiver whether it wants notifications, and throws unless it says the token back. The question is a delivery like any other: it can
 * be looked up, faults strike it, and the guard decides whether it may be sent at all.
 */
export async function shakeHands(session: Session, asked: Asked): Promise<void> {
  const { jar } = session;
  const settings = await jar.settings.current();
  const name = `handshake ${uuid()}`;
  const url = questionUrl(asked.notificationUrl, uuid());
  const ended = Promise.withResolvers<Ended>();
  // Where the question cannot even be queued nobody waits for its end.
  ended.promise.catch(() => {});
  const stops = [
    jar.questions.wait(name, ({ cause, rule }) => ended.resolve({ agreed: cause === 'delivered', rule })),
    jar.clock.wakeAt(session.deadline, () => ended.reject(new DeadlinePassed())),
    onClosing(jar, () => ended.reject(errors.ServiceUnavailable({ reason: 'The service is shutting down.' }))),
  ];
  try {
    const id = await jar.store.transact((tx) =>
      jar.delivery.enqueue(tx, {
        policy: HANDSHAKE,
        destination: name,
        owner: asked.key,
        subject: 'validation of a notification address',
        url,
        headers: { accept: 'text/plain, */*' },
        body: '',
        timeoutMs: settings.apiSubscriptionNotificationUrlTimeout,
      }),
    );
    stops.push(every(LOOK_EVERY_MS, () => void lookUp(jar, id).then((end) => end && ended.resolve(end), ended.reject)));
    const { agreed, rule } = await ended.promise;
    if (!agreed) throw failed(asked.notificationUrl, rule);
  } finally {
    for (const stop of stops) stop();
  }
}

/** What became of it, wherever it was sent; undefined while it is under way. */
async function lookUp({ store }: Jar, id: string): Promise<Ended | undefined> {
  const record = (await store.get(deliveries, id))?.value;
  if (!record) return { agreed: false, rule: 'the request was taken back' };
  if (record.state === 'queued') return undefined;
  return { agreed: record.cause === 'delivered', rule: record.rule ?? record.state };
}

function onClosing({ closing }: Jar, then: () => void): () => void {
  if (closing.aborted) then();
  else closing.addEventListener('abort', then, { once: true });
  return () => closing.removeEventListener('abort', then);
}

function failed(notificationUrl: string, rule: string): Error {
  const address = shownUrl(notificationUrl);
  return errors.Application_DialogException(
    {
      reason: `The notification address '${address}' did not agree to get notifications: ${rule}. It has to answer a POST with the query parameter validationToken by the status 200 and the value of that parameter as the body.`,
    },
    { target: 'notificationUrl' },
  );
}

/** The address without what may be secret in it; a name and a password can be written in more ways than one. */
export function shownUrl(url: string): string {
  const shown = url.replace(/[?#].*$/s, '');
  const parsed = URL.parse(url);
  if (!parsed || (parsed.username === '' && parsed.password === '')) return shown;
  return parsed.origin + parsed.pathname;
}
