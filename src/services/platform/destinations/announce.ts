import { sendNotice } from '../../../kernel/notices/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { accounts } from '../accounts/collections.ts';
import { textsOf } from '../engine/json.ts';
import type { PlatformJar } from '../jar.ts';
import { settingsOf } from '../settings.ts';
import { type Destination, findDestination } from './find.ts';
import { type Incident, messageFor } from './messages.ts';
import type { NotificationPolicy } from './policy-names.ts';

/** Maximum length of a mail's text, which is copied for every receiver. */
export const LONGEST_MESSAGE = 100_000;

/** A notification, in the formats of all kinds of destinations. */
export interface Announcement {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly policy: NotificationPolicy;
  /** One line: the subject of a mail, or the text in a chat. */
  readonly headline: string;
  /** The text of a mail. */
  readonly text: string;
  /** The body for a generic webhook. */
  readonly webhook: object;
  /** For PagerDuty. Absent: PagerDuty is not notified. */
  readonly incident?: Incident;
}

export interface Receivers {
  /** E-mail addresses. */
  readonly addresses: readonly string[];
  /** Ids of notification destinations. */
  readonly destinations: readonly string[];
}

/** Notifies receivers in the transaction of the event, which queues mail and messages. A destination that was deleted since is skipped. */
export async function announce(
  tx: Tx,
  jar: PlatformJar,
  what: Announcement,
  { addresses, destinations }: Receivers,
): Promise<void> {
  const mailed = new Set(addresses);
  for (const id of new Set(destinations)) {
    const found = await findDestination(tx, jar, what.workspaceId, id);
    if (!found) continue;
    if (found.type === 'EMAIL') for (const address of textsOf(found.config.addresses)) mailed.add(address);
    else await enqueue(tx, jar, what, found);
  }
  if (mailed.size > 0) await mail(tx, jar, what, mailed);
}

async function mail(tx: Tx, jar: PlatformJar, what: Announcement, addresses: Iterable<string>): Promise<void> {
  const account = (await tx.get(accounts, what.accountId, 'none'))?.value;
  if (!account) return;
  const { headline: subject, text } = what;
  for (const to of addresses)
    await sendNotice(tx, jar.clock.now(), { tenantId: account.tenantId, sender: 'Data platform', to, subject, text });
}

async function enqueue(tx: Tx, jar: PlatformJar, what: Announcement, destination: Destination): Promise<void> {
  const message = messageFor(destination, what, settingsOf(jar));
  if (!message) return;
  await jar.delivery.enqueue(tx, {
    policy: what.policy,
    destination: `${what.workspaceId}/${destination.id}`,
    owner: what.accountId,
    subject: what.headline,
    url: message.url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message.body),
  });
}
