import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';

const person = (address: string) => ({ emailAddress: { address } });
const LIN = person('licensed@vendor.example');

onAnyStore('values that no mail can have', (bench) => {
  const call = (method: string, path: string, body?: object) =>
    bench.call(method, `/v1.0/me/${path}`, body ? { body } : {});

  beforeEach(() => bench.jar.reset());

  it.each([
    ['an id of two words', { internetMessageId: 'two words' }, 'RequestBodyRead'],
    ['a header name with a bang', { internetMessageHeaders: [{ name: 'x-a!', value: '1' }] }, 'ErrorInvalidProperty'],
    ['an empty address to answer to', { replyTo: [person('')] }, 'ErrorInvalidRecipients'],
    ['an address to answer to with blanks', { replyTo: [person('a b c')] }, 'ErrorInvalidRecipients'],
    ['a long local part', { toRecipients: [person(`${'a'.repeat(600)}@b.example`)] }, 'ErrorInvalidRecipients'],
  ])('are refused when a message is sent: %s', async (_, message, code) => {
    const sent = await call('POST', 'sendMail', { message: { toRecipients: [LIN], ...message } });
    expect(sent).toMatchObject({ status: 400, body: { error: { code } } });
    expect((await call('GET', 'messages')).body.value).toEqual([]);
  });

  it('are left out of the MIME of a draft, which may be unfinished', async () => {
    const people = [person('a b'), person(''), LIN];
    const { body } = await call('POST', 'messages', { subject: 'Draft', toRecipients: people, replyTo: people });
    const { status, text } = await call('GET', `messages/${body.id}/$value`);
    expect(status).toBe(200);
    expect(text).toMatch(/^To: licensed@vendor\.example\r$/m);
    expect(text).toMatch(/^Reply-To: licensed@vendor\.example\r$/m);
    expect(await call('POST', `messages/${body.id}/send`)).toMatchObject({
      status: 400,
      body: { error: { code: 'ErrorInvalidRecipients' } },
    });
  });

  it.each([
    ['an endless Message-ID', `Message-ID: <${'a'.repeat(950)}@x.example>`],
    ['a quoted local part', 'From: "a\\"b"@x.example'],
    ['odd references', 'References: <a b> c <d@x.example>'],
  ])('keep no mail out, nor the automatic answer of others: %s', async (_, header) => {
    const settings = { automaticRepliesSetting: { status: 'alwaysEnabled', externalReplyMessage: 'Away' } };
    expect(await call('PATCH', 'mailboxSettings', settings)).toMatchObject({ status: 200 });
    const from = header.startsWith('From') ? '' : 'From: carol@fabrikam.example\r\n';
    await bench.jar.mailbox('admin').send(`${from}${header}\r\nSubject: Odd\r\n\r\nHello`);
    const [message] = (await call('GET', 'mailFolders/inbox/messages')).body.value;
    expect(message.subject).toBe('Odd');
    for (const action of ['createReply', 'createForward']) {
      const { body: draft } = await call('POST', `messages/${message.id}/${action}`);
      expect(await call('GET', `messages/${draft.id}/$value`)).toMatchObject({ status: 200 });
    }
  });

  it('are refused in the actions of a rule, which would keep out all mail that it matches', async () => {
    for (const action of ['forwardTo', 'forwardAsAttachmentTo', 'redirectTo']) {
      const rule = { displayName: 'R', sequence: 1, actions: { [action]: [person('two words')] } };
      expect(await call('POST', 'mailFolders/inbox/messageRules', rule)).toMatchObject({
        status: 400,
        body: { error: { code: 'RequestBodyRead', target: `actions/${action}[0]/emailAddress/address` } },
      });
    }
  });

  it("that exceed the parser's bounds are reported to the sender", async () => {
    const names = Array.from({ length: 400 }, (_, at) => ({
      emailAddress: { name: `${at} ${'n'.repeat(900)}`, address: `licensed+${at}@vendor.example` },
    }));
    const message = { subject: 'Everybody', toRecipients: names };
    expect(await call('POST', 'sendMail', { message })).toMatchObject({ status: 202 });
    await bench.jar.settled();
    expect((await call('GET', 'mailFolders/inbox/messages')).body.value).toMatchObject([
      { subject: 'Undeliverable: Everybody', bodyPreview: expect.stringContaining('5.6.0') },
    ]);
  });
});
