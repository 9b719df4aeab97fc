import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Sender } from './sender.ts';

const OLD = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NEW = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const STRANGE = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

const sender = new Sender([
  { name: 'test.signed', service: 'sender', plainHttp: true, schedule: [1000], secrets: () => [OLD, NEW] },
]);
// The library compares the time of a message with the system's clock, so the jar's clock must show the same time.
beforeEach(() => sender.start({ memory: true, clockStart: new Date().toISOString() }));
afterEach(() => sender.close());

async function sentMessage(): Promise<{ body: string; headers: Record<string, string> }> {
  const receiver = await sender.receiver();
  await sender.enqueue({ policy: 'test.signed', destination: 'one', url: receiver.url, body: '{"word":"Grüße 🎉"}' });
  await sender.settled();
  const { body, headers } = receiver.received[0]!;
  return { body, headers: headers as Record<string, string> };
}

test.each([OLD, NEW])(
  'a receiver with the secret %s verifies what it got with the standardwebhooks library',
  async (secret) => {
    const { body, headers } = await sentMessage();
    expect(new Webhook(secret).verify(body, headers)).toEqual({ word: 'Grüße 🎉' });
  },
);

test('a receiver with another secret, and one whose message was changed on the way, find out', async () => {
  const { body, headers } = await sentMessage();
  expect(() => new Webhook(STRANGE).verify(body, headers)).toThrow('No matching signature found');
  expect(() => new Webhook(NEW).verify(body.replace('word', 'ward'), headers)).toThrow('No matching signature found');
  expect(() => new Webhook(NEW).verify(body, { ...headers, 'webhook-id': 'another' })).toThrow(
    'No matching signature found',
  );
});
