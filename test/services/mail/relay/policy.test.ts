import { beforeEach, expect, test } from 'vitest';
import { readRule } from '../../../../src/kernel/faults/read-rule.ts';
import type { Jar } from '../../../../src/kernel/service/jar.ts';
import type { RelayOrder } from '../../../../src/services/mail/relay/order.ts';
import { enqueueForRelay, type NonDelivery, relayPolicy } from '../../../../src/services/mail/relay/policy.ts';
import type { RelaySettings } from '../../../../src/services/mail/relay/types.ts';
import { HOUR, MINUTE, type Sender, START_MS, sending } from '../../../kernel/delivery/sender.ts';
import { openDoor } from '../smtp/door.ts';
import { scriptedRelay, settings } from './relays.ts';

const RAW = Buffer.from('Subject: Hi\r\n\r\nHello\r\n');
const reports: { order: RelayOrder; reason: NonDelivery }[] = [];
let relay: RelaySettings | undefined;

/** A service that stores its messages by name and its reports in a list. */
const policy = relayPolicy<Jar>({
  relay: () => relay,
  load: async (message) => (message === 'gone' ? undefined : RAW),
  async failed(_tx, order, reason) {
    reports.push({ order, reason });
    return order.from === '' ? undefined : 'reported';
  },
});

function send(sender: Sender, to: readonly string[], message = 'one', from = 'ada@jar.test') {
  const { jar } = sender;
  const mail = { relay: relay ?? { host: 'nowhere.test', port: 25 }, message, from, to, owner: 'ada', subject: 'Hi' };
  return jar.store.transact((tx) => enqueueForRelay(tx, jar.delivery, mail));
}

sending('mail by a relay', [{ ...policy, jitter: 0 }], (sender) => {
  beforeEach(() => {
    reports.length = 0;
    relay = undefined;
  });

  test('goes to each recipient by a delivery of its own, which names the relay and not the message', async () => {
    const door = await openDoor();
    relay = settings(door.port);
    const ids = await send(sender, ['bob@jar.test', 'eve@jar.test', 'bob@jar.test']);
    await sender.settled();
    expect(ids).toHaveLength(2);
    expect(await sender.record(ids[0] ?? '')).toMatchObject({
      state: 'delivered',
      policy: 'mail.relay',
      service: 'mail',
      destination: `smtp://127.0.0.1:${door.port}`,
      owner: 'ada',
      subject: 'bob@jar.test: Hi',
      body: '{"message":"one","from":"ada@jar.test","to":"bob@jar.test"}',
      history: [{ status: 250, outcome: 'Succeeded', response: expect.stringContaining('2.0.0 Stored as') }],
    });
    expect(door.mails.map(({ to }) => to).sort()).toEqual([['bob@jar.test'], ['eve@jar.test']]);
    expect(door.mails[0]?.raw.equals(RAW)).toBe(true);
    expect(reports).toEqual([]);
  });

  test('is permanently refused by 5xx, and the sender gets a report; other recipients are not affected', async () => {
    const door = await openDoor();
    relay = settings(door.port);
    const [refused = '', sent = ''] = await send(sender, ['nobody@jar.test', 'eve@jar.test']);
    await sender.settled();
    expect(await sender.record(refused)).toMatchObject({
      state: 'dead-lettered',
      cause: 'refused',
      history: [{ status: 550, outcome: 'Refused' }],
    });
    expect(await sender.record(sent)).toMatchObject({ state: 'delivered' });
    expect(reports).toEqual([
      {
        order: { message: 'one', from: 'ada@jar.test', to: 'nobody@jar.test' },
        reason: {
          cause: 'refused',
          code: 550,
          enhancedCode: '5.1.1',
          text: 'There is no mailbox nobody@jar.test',
          attempts: 1,
          relay: '127.0.0.1',
          lastAttemptAt: expect.any(Number),
        },
      },
    ]);
    await sender.running.advance('3d');
    expect(door.mails).toHaveLength(1);
  });

  test("is retried after 4xx or if the relay is unreachable, by the jar's clock", async () => {
    const answers: Record<string, string> = { RCPT: '450 4.2.0 greylisted' };
    const scripted = await scriptedRelay(answers);
    relay = settings(1);
    const [id = ''] = await send(sender, ['bob@away.test']);
    await sender.settled();
    expect(await sender.record(id)).toMatchObject({
      state: 'queued',
      dueAt: START_MS + MINUTE,
      history: [{ outcome: 'SocketError', error: expect.stringContaining('ECONNREFUSED') }],
    });
    relay = settings(scripted.port);
    await sender.running.advance('1m');
    expect(await sender.record(id)).toMatchObject({
      dueAt: START_MS + 6 * MINUTE,
      history: [{}, { status: 450, outcome: 'Deferred', response: '4.2.0 greylisted' }],
    });
    delete answers.RCPT;
    await sender.running.advance('5m');
    expect(await sender.record(id)).toMatchObject({ state: 'delivered', attempts: 3 });
  });

  test('is abandoned after two days, and the report has the last reply', async () => {
    const scripted = await scriptedRelay({ RCPT: '452 4.2.2 full' });
    relay = settings(scripted.port);
    const [id = ''] = await send(sender, ['bob@away.test']);
    await sender.running.advance('3d');
    const { state, cause, attempts, endedAt = 0 } = await sender.record(id);
    expect({ state, cause }).toEqual({ state: 'dead-lettered', cause: 'expired' });
    expect(endedAt - START_MS).toBeGreaterThanOrEqual(48 * HOUR);
    expect(endedAt - START_MS).toBeLessThan(53 * HOUR);
    expect(reports).toMatchObject([{ reason: { cause: 'expired', attempts } }]);
    expect(reports[0]?.reason).toMatchObject({ code: 452, enhancedCode: '4.2.2', text: 'full' });
  });

  test('ends at once if a retry is pointless: no relay, no message, no address', async () => {
    const [noRelay = ''] = await send(sender, ['bob@away.test']);
    await sender.settled();
    expect(await sender.record(noRelay)).toMatchObject({ cause: 'refused', history: [{ outcome: 'NoRelay' }] });
    const scripted = await scriptedRelay();
    relay = settings(scripted.port);
    const [gone = ''] = await send(sender, ['bob@away.test'], 'gone');
    const [bad = ''] = await send(sender, ['bob@away.test>'], 'one');
    await sender.settled();
    expect(await sender.record(gone)).toMatchObject({ cause: 'refused', history: [{ outcome: 'Gone' }] });
    expect(await sender.record(bad)).toMatchObject({ cause: 'refused', history: [{ outcome: 'BadAddress' }] });
    expect(reports.map(({ reason }) => reason.text)).toEqual([
      'no relay is configured for mail to other servers',
      expect.any(String),
      expect.any(String),
    ]);
  });

  test('of a report is dropped: a report never causes another report', async () => {
    relay = settings((await scriptedRelay({ RCPT: '550 no' })).port);
    const [id = ''] = await send(sender, ['bob@away.test'], 'one', '');
    await sender.settled();
    expect(await sender.record(id)).toMatchObject({ state: 'dropped', cause: 'refused' });
  });

  test('a relay that does not know the jar keeps its mail waiting: that is no refusal of a message', async () => {
    relay = settings((await scriptedRelay({ EHLO: '250-relay.test\r\n250 AUTH PLAIN', AUTH: '535 5.7.8 no' })).port, {
      user: 'jar',
      password: 'wrong',
    });
    const [id = ''] = await send(sender, ['bob@away.test']);
    await sender.settled();
    expect(await sender.record(id)).toMatchObject({ state: 'queued', history: [{ status: 535, outcome: 'Deferred' }] });
  });

  test.for([
    [{ status: 451 }, 'queued'],
    [{ status: 503 }, 'queued'],
    [{ status: 550, body: '5.2.1 disabled' }, 'dead-lettered'],
    [{ drop: true }, 'queued'],
    [{ status: 250 }, 'delivered'],
  ] as const)('a fault rule speaks in place of the relay, in codes of SMTP: %j', async ([effect, state]) => {
    const door = await openDoor();
    relay = settings(door.port);
    const rule = { match: { direction: 'outbound' as const, service: 'mail' }, effect, count: 1 };
    await sender.jar.faults.add(readRule(rule, ['mail']));
    const [id = ''] = await send(sender, ['bob@jar.test']);
    await sender.settled();
    expect(await sender.record(id)).toMatchObject({ state });
    expect(door.mails).toEqual([]);
    const told = state === 'dead-lettered' ? [{ code: 550, enhancedCode: '5.2.1', text: 'disabled' }] : [];
    expect(reports.map(({ reason }) => reason)).toMatchObject(told);
  });

  test('is withdrawn with its owner', async () => {
    relay = settings(1);
    const [id = ''] = await send(sender, ['bob@away.test']);
    await sender.settled();
    await sender.jar.store.transact((tx) => sender.jar.delivery.cancel(tx, { owner: 'ada' }));
    expect(await sender.record(id)).toMatchObject({ state: 'cancelled' });
    expect(reports).toEqual([]);
  });
});
