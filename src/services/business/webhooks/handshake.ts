import { ask, withoutSecrets } from '../../../kernel/delivery/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { DeadlinePassed, type Session } from '../api/session.ts';
import { errors } from '../errors.ts';
import { HANDSHAKE } from '../policies.ts';
import { questionUrl } from './verdict.ts';

export interface Asked {
  /** Key of the subscription. */
  readonly key: string;
  readonly notificationUrl: string;
}

/** Asks the receiver for its consent; throws unless it echoes the token. */
export async function performHandshake({ jar, deadline }: Session, asked: Asked): Promise<void> {
  const settings = await jar.settings.current();
  const { agreed, rule } = await ask(
    jar,
    {
      policy: HANDSHAKE,
      destination: `handshake ${uuid()}`,
      owner: asked.key,
      subject: 'validation of a notification address',
      url: questionUrl(asked.notificationUrl, uuid()),
      headers: { accept: 'text/plain, */*' },
      body: '',
      timeoutMs: settings.apiSubscriptionNotificationUrlTimeout,
    },
    {
      closing: () => errors.ServiceUnavailable({ reason: 'The service is shutting down.' }),
      ends: [(end) => jar.clock.wakeAt(deadline, () => end(new DeadlinePassed()))],
    },
  );
  if (!agreed) throw failed(asked.notificationUrl, rule);
}

function failed(notificationUrl: string, rule: string): Error {
  const address = withoutSecrets(notificationUrl);
  return errors.Application_DialogException(
    {
      reason: `The notification address '${address}' did not agree to get notifications: ${rule}. It has to answer a POST with the query parameter validationToken by the status 200 and the value of that parameter as the body.`,
    },
    { target: 'notificationUrl' },
  );
}
