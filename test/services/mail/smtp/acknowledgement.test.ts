import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../../src/services/mail/smtp/types.ts';
import { eventually } from '../../../support/eventually.ts';
import { openDoor } from './door.ts';

describe('the reply to a message', () => {
  it('waits for the store', async () => {
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    let isAsked = false;
    const door = await openDoor({
      receive() {
        isAsked = true;
        return promise;
      },
    });
    const talk = await door.connect().begin();
    const before = talk.received;
    talk.send('x\r\n.\r\nNOOP\r\n');
    await eventually(() => expect(isAsked).toBe(true));
    expect(talk.received).toBe(before);
    resolve({ is: 'stored' });
    expect(await talk.reply()).toMatch(/^250 2\.0\.0 Stored/);
    expect(await talk.reply()).toBe('250 2.0.0 OK');
  });

  it.each<[Verdict | Error, string]>([
    [{ is: 'refused', reason: 'the mailbox is full' }, '550 5.7.1 the mailbox is full'],
    [{ is: 'refused', reason: 'two\r\n250 lines \u00e4' }, '550 5.7.1 two??250 lines ?'],
    [{ is: 'later', reason: 'come back' }, '451 4.3.0 come back'],
    [new Error('secret detail'), '451 4.3.0 A local error, try again later'],
  ])('says what became of it: %j', async (verdict, answer) => {
    const door = await openDoor({
      async receive() {
        if (verdict instanceof Error) throw verdict;
        return verdict;
      },
    });
    const talk = await door.connect().begin();
    expect(await talk.say('x\r\n.')).toBe(answer);
    expect(await talk.say('MAIL FROM:<>')).toMatch(/^250/);
  });

  it('is 451 for a recipient that cannot be looked up', async () => {
    const door = await openDoor({
      async accepts() {
        throw new Error('no store');
      },
    });
    const talk = door.connect();
    await talk.reply();
    await talk.say('EHLO client.test');
    await talk.say('MAIL FROM:<>');
    expect(await talk.say('RCPT TO:<ada@jar.test>')).toBe('451 4.3.0 A local error, try again later');
  });

  it('is sent before the server closes, while other connections end at once', async () => {
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    let isAsked = false;
    const door = await openDoor({
      receive() {
        isAsked = true;
        return promise;
      },
    });
    const idle = door.connect();
    await idle.reply();
    const sending = await door.connect().begin();
    sending.send('half of a message\r\n');
    const storing = await door.connect().begin();
    storing.send('x\r\n.\r\n');
    await eventually(() => expect(isAsked).toBe(true));
    const closed = door.close();
    expect(await idle.rest()).toEqual(['421 4.3.2 The server is shutting down']);
    expect(await sending.rest()).toEqual(['421 4.3.2 The server is shutting down']);
    resolve({ is: 'stored' });
    expect((await storing.rest()).map((line) => line.slice(0, 9))).toEqual(['250 2.0.0', '421 4.3.2']);
    await closed;
  });

  it('closing waits for a message whose client has disconnected', async () => {
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    let isAsked = false;
    let isStored = false;
    const door = await openDoor({
      async receive() {
        isAsked = true;
        const verdict = await promise;
        isStored = true;
        return verdict;
      },
    });
    const talk = await door.connect().begin();
    talk.send('x\r\n.\r\n');
    await eventually(() => expect(isAsked).toBe(true));
    talk.socket.resetAndDestroy();
    const closed = door.close().then(() => isStored);
    resolve({ is: 'stored' });
    expect(await closed).toBe(true);
  });

  it('closing does not wait forever: a hanging message is aborted', async () => {
    let isAsked = false;
    const door = await openDoor({
      receive() {
        isAsked = true;
        return new Promise(() => {});
      },
      limits: { closeMs: 50 },
    });
    const talk = await door.connect().begin();
    talk.send('x\r\n.\r\n');
    await eventually(() => expect(isAsked).toBe(true));
    await door.close();
    expect(await talk.rest()).toEqual([]);
  });
});
