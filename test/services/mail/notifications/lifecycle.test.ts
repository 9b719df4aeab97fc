import { beforeEach, describe, expect, it } from 'vitest';
import type { AttemptResult, DueDelivery } from '../../../../src/kernel/delivery/index.ts';
import { nextReminder } from '../../../../src/services/mail/notifications/lifecycle.ts';
import { verdictOn } from '../../../../src/services/mail/notifications/policy.ts';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { arrived, inMinutes, inShort, subscribed, told } from './support.ts';

onBothStores('lifecycle notifications', (bench) => {
  beforeEach(() => bench.jar.reset());

  const draft = async (subject = 'One', token?: string): Promise<string> =>
    (await bench.call('POST', '/v1.0/me/messages', { body: { subject }, ...(token && { token }) })).body.id;

  it('remind of an expiring token; later notifications wait for a new token and are sent with it', async () => {
    const { jar } = bench;
    const [changes, lifecycle] = [jar.inbox('changes'), jar.inbox('lifecycle')];
    const token = await jar.token({ ttl: '1h' });
    const { id, expirationDateTime } = await subscribed(
      bench,
      { lifecycleNotificationUrl: lifecycle.httpsUrl, clientState: 'mine' },
      { token },
    );
    expect((await lifecycle.requests()).map(({ handshake }) => handshake?.kind)).toEqual(['validationToken']);
    await jar.clock.advance('44m');
    expect(await told(lifecycle)).toEqual([]);
    await jar.clock.advance('2m');
    expect(await told(lifecycle)).toEqual([
      {
        subscriptionId: id,
        subscriptionExpirationDateTime: expirationDateTime,
        tenantId: expect.any(String),
        clientState: 'mine',
        lifecycleEvent: 'reauthorizationRequired',
      },
    ]);
    await jar.clock.advance('30m');
    const held = await draft('Held');
    await jar.settled();
    expect(await told(changes)).toEqual([]);
    const answer = await bench.call('POST', `/v1.0/subscriptions/${id}/reauthorize`);
    expect(answer.status).toBe(204);
    await arrived(bench);
    expect(inShort(await told(changes), [held])).toEqual(['created 1']);
    expect((await bench.call('GET', `/v1.0/subscriptions/${id}`)).body.expirationDateTime).toBe(expirationDateTime);
  });

  it('tell of notifications that are lost: after four hours of retries, or without a token for as long', async () => {
    const { jar } = bench;
    const [changes, lifecycle] = [jar.inbox('changes'), jar.inbox('lifecycle')];
    await subscribed(bench, {
      lifecycleNotificationUrl: lifecycle.httpsUrl,
      expirationDateTime: inMinutes(bench, 6000),
    });
    await changes.respond({ status: 500 });
    await draft();
    await jar.settled();
    await jar.clock.advance('3h');
    expect(await told(lifecycle)).toEqual([]);
    await jar.clock.advance('90m');
    expect((await told(lifecycle)).map(({ lifecycleEvent }) => lifecycleEvent)).toEqual(['missed']);
    const attempts = (await changes.requests()).filter(({ handshake }) => handshake === null);
    expect(attempts.length).toBeGreaterThan(10);
    await changes.respond({});
    const { body } = await bench.call('GET', '/_jar/deliveries?policy=mail.notification', { token: jar.adminKey });
    expect(body.value).toMatchObject([{ state: 'dropped', cause: 'expired', subject: 'created: me/messages' }]);

    const token = await jar.token({ ttl: '1h' });
    const short = await subscribed(
      bench,
      { resource: 'me/mailFolders/drafts/messages', lifecycleNotificationUrl: jar.inbox('second').httpsUrl },
      { token },
    );
    await jar.clock.advance('61m');
    await draft();
    await jar.clock.advance('5h');
    const events = (await told(jar.inbox('second'))).map(({ lifecycleEvent, subscriptionId }) => [
      lifecycleEvent,
      subscriptionId,
    ]);
    expect(events).toEqual([
      ['reauthorizationRequired', short.id],
      ['missed', short.id],
    ]);
  });

  it('tell of a subscription that goes with its folder', async () => {
    const { jar } = bench;
    const folder = await bench.call('POST', '/v1.0/me/mailFolders', { body: { displayName: 'Projects' } });
    expect(folder.status).toBe(201);
    const { id } = await subscribed(bench, {
      resource: `me/mailFolders/${folder.body.id}/messages`,
      lifecycleNotificationUrl: jar.inbox('lifecycle').httpsUrl,
    });
    expect((await bench.call('POST', `/v1.0/me/mailFolders/${folder.body.id}/permanentDelete`)).status).toBe(204);
    await jar.clock.advance('1m');
    expect(await told(jar.inbox('lifecycle'))).toMatchObject([
      { lifecycleEvent: 'subscriptionRemoved', subscriptionId: id },
    ]);
    expect((await bench.call('GET', `/v1.0/subscriptions/${id}`)).status).toBe(404);
  });
});

onAnyStore('a receiver that fails again and again', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('gets everything when it is available again, by the schedule of each notification', async () => {
    const { jar } = bench;
    const inbox = jar.inbox('changes');
    await subscribed(bench, {});
    await inbox.failTimes(6);
    const ids: string[] = [];
    const draft = async () => ids.push((await bench.call('POST', '/v1.0/me/messages', { body: {} })).body.id);
    await draft();
    await jar.clock.advance('3m');
    expect(await told(inbox)).toEqual([]);
    await draft();
    await jar.settled();
    await jar.clock.advance('7m');
    expect(inShort(await told(inbox), ids).toSorted()).toEqual(['created 1', 'created 2']);
  });
});

describe('when an answer counts', () => {
  const first = { attempts: 0 } as DueDelivery;
  const retry = { attempts: 1 } as DueDelivery;
  const answer = (status: number, ms: number): AttemptResult => ({ status, ms, outcome: 'x', headers: {}, body: '' });
  it.each([
    [200, 2900, first, 'delivered'],
    [202, 100, first, 'delivered'],
    [204, 100, first, 'delivered'],
    [200, 3100, first, 'retry'],
    [200, 3100, retry, 'delivered'],
    [200, 9000, retry, 'delivered'],
    [301, 100, first, 'retry'],
    [400, 100, first, 'retry'],
    [410, 100, first, 'retry'],
    [500, 100, retry, 'retry'],
  ])('%d after %d ms', (status, ms, delivery, verdict) => {
    expect(verdictOn(answer(status, ms), [delivery]).is).toBe(verdict);
  });

  it('no answer in time is retried, and an address that is not allowed is not', () => {
    const none = { ms: 10_000, headers: {}, body: '' };
    expect(verdictOn({ ...none, outcome: 'TimedOut' }, [first]).is).toBe('retry');
    expect(verdictOn({ ...none, outcome: 'Blocked' }, [first]).is).toBe('refused');
  });
});

it('reminders begin when a quarter of the time is left, and come every 15 minutes in the last hour', () => {
  const minutes = (authorizedUntil: number, expiresAt: number): readonly number[] => {
    const subscription = { authorizedAt: 0, authorizedUntil: authorizedUntil * 60_000, expiresAt: expiresAt * 60_000 };
    const found: number[] = [];
    for (let at = nextReminder(subscription, 0); at !== undefined; at = nextReminder(subscription, at))
      found.push(at / 60_000);
    return found;
  };
  expect(minutes(60, 10_000)).toEqual([45]);
  expect(minutes(120, 10_000)).toEqual([90, 105]);
  expect(minutes(1440, 10_000)).toEqual([1080, 1380, 1395, 1410, 1425]);
  expect(minutes(100_000, 240)).toEqual([180, 195, 210, 225]);
});
