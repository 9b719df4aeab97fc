import { sendNotice } from '../../../../kernel/notices/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { accounts } from '../../accounts/collections.ts';
import { type Destination, findDestination } from '../../destinations/find.ts';
import { textsOf } from '../../engine/json.ts';
import type { PlatformJar } from '../../jar.ts';
import type { JobSettings, Run } from '../collections.ts';
import { type NotifiedTask, type RunEvent, receiversOf } from './events.ts';
import { headlineOf, mailText, type Occurrence, webhookBody } from './messages.ts';
import { JOB_WEBHOOK } from './policy-name.ts';
import { planWarning } from './warning.ts';

/**
 * Notifies everybody whom the settings name of an event of a run, or of one of its tasks. In the transaction of the event: mail and messages are queued
 * with it. Skipped and cancelled runs come as `on_failure`; muting is decided here.
 */
export async function notifyRun(
  tx: Tx,
  jar: PlatformJar,
  run: Run,
  plan: JobSettings,
  event: RunEvent,
  task?: NotifiedTask,
): Promise<void> {
  if (event === 'on_start') await planWarning(tx, jar, run, plan, task);
  const ending = task ? task.task.ending : run.ending;
  const { addresses, destinations } = receiversOf(task?.settings ?? plan, event, ending, task);
  const occurrence: Occurrence = { run, event, task };
  const mailed = new Set(addresses);
  for (const id of destinations) {
    const found = await findDestination(tx, jar, run.workspaceId, id);
    // Deleted since: the run goes on.
    if (!found) continue;
    if (found.type === 'EMAIL') for (const address of textsOf(found.config.addresses)) mailed.add(address);
    else await enqueue(tx, jar, occurrence, found);
  }
  if (mailed.size > 0) await mail(tx, jar, occurrence, mailed);
}

async function mail(tx: Tx, jar: PlatformJar, occurrence: Occurrence, addresses: Iterable<string>): Promise<void> {
  const account = (await tx.get(accounts, occurrence.run.accountId, 'none'))?.value;
  if (!account) return;
  const subject = headlineOf(occurrence);
  const text = mailText(occurrence);
  for (const to of addresses)
    await sendNotice(tx, jar.clock.now(), { tenantId: account.tenantId, sender: 'Data platform', to, subject, text });
}

/** A generic webhook gets the event as JSON; chat channels get one line of text. PagerDuty has no address of its own here and gets nothing. */
async function enqueue(
  tx: Tx,
  jar: PlatformJar,
  occurrence: Occurrence,
  { id, type, config }: Destination,
): Promise<void> {
  const { run } = occurrence;
  const { url } = config;
  if (typeof url !== 'string') return;
  const body = type === 'WEBHOOK' ? webhookBody(occurrence) : { text: headlineOf(occurrence) };
  await jar.delivery.enqueue(tx, {
    policy: JOB_WEBHOOK,
    destination: `${run.workspaceId}/${id}`,
    owner: run.accountId,
    subject: headlineOf(occurrence),
    url,
    headers: { 'content-type': 'application/json', ...credentialOf(config) },
    body: JSON.stringify(body),
  });
}

function credentialOf({ username, password }: JsonMembers): Record<string, string> {
  if (typeof username !== 'string' || typeof password !== 'string') return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}
