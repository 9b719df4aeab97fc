import { describe, expect, it } from 'vitest';
import { loadAuthority } from '../../../../src/kernel/tls/authority.ts';
import { wantedNames } from '../../../../src/kernel/tls/names.ts';
import { sendByRelay } from '../../../../src/services/mail/relay/send.ts';
import type { RelaySettings } from '../../../../src/services/mail/relay/types.ts';
import { eventually } from '../../../support/eventually.ts';
import { type PostfixServer, stopPostfixAfterwards, usePostfix } from '../../../support/postfix.ts';
import { settings } from './relays.ts';

const never = new AbortController().signal;
const authority = loadAuthority(undefined, { names: () => wantedNames('127.0.0.1'), wallNow: Date.now });
const { key, cert } = authority.serverCredentials();
const OPTIONS = { certificate: `${key}\n${cert}`, settings: ['message_size_limit = 500000'] };

/** With the headers that a server would otherwise add. */
const HEADERS = 'From: ada@jar.test\r\nDate: Mon, 02 Nov 2026 09:05:07 +0000\r\nMessage-ID: <1@jar.test>\r\n';
const TEXT = `${HEADERS}Subject: Gr\u00fc\u00dfe\r\n\r\n.\r\n..dots\r\nEnd\r\n`;

stopPostfixAfterwards();

function send(server: PostfixServer, to: readonly string[], more: Partial<RelaySettings> = {}, text = TEXT) {
  const mail = { from: 'ada@jar.test', to, raw: Buffer.from(text) };
  return sendByRelay(mail, settings(server.port, more), never);
}

/** Servers prepend headers, and store lines with LF. */
const arrived = async (server: PostfixServer, address: string): Promise<string[]> =>
  (await server.messagesFor(address)).map((message) => message.toString().replaceAll('\n', '\r\n'));

describe('a real mail server as the relay', () => {
  it('gets the complete message', async (context) => {
    const server = await usePostfix(context, OPTIONS);
    expect(await send(server, ['bob@away.test'])).toMatchObject([
      { is: 'sent', code: 250, enhancedCode: '2.0.0', text: expect.stringMatching(/^Ok: queued as/) },
    ]);
    await eventually(async () => expect(await arrived(server, 'bob@away.test')).toHaveLength(1));
    const [message = ''] = await arrived(server, 'bob@away.test');
    expect(message).toContain('Return-Path: <ada@jar.test>');
    expect(message).toContain('from jar.test ');
    expect(message.endsWith(TEXT)).toBe(true);
  });

  it('gets it over TLS, with a certificate that is verified', async (context) => {
    const server = await usePostfix(context, OPTIONS);
    const secure = { tls: 'required', ca: [authority.caPem] } as const;
    expect(await send(server, ['tls@away.test'], secure)).toMatchObject([{ is: 'sent' }]);
    await eventually(async () => expect((await arrived(server, 'tls@away.test')).join()).toContain('with ESMTPS'));
    expect(await send(server, ['tls@away.test'], { tls: 'required' })).toMatchObject([{ failure: 'TlsError' }]);
  });

  it('refuses recipients that it does not know or does not relay for, and takes the others', async (context) => {
    const server = await usePostfix(context, OPTIONS);
    const replies = await send(server, ['nobody@away.test', 'eve@away.test', 'x@elsewhere.test']);
    expect(replies).toMatchObject([
      { address: 'nobody@away.test', is: 'refused', code: 550, enhancedCode: '5.1.1' },
      { address: 'eve@away.test', is: 'sent' },
      { address: 'x@elsewhere.test', is: 'refused', code: 554, enhancedCode: '5.7.1' },
    ]);
    await eventually(async () => expect(await arrived(server, 'eve@away.test')).toHaveLength(1));
  });

  it('rejects a message that is too large', async (context) => {
    const server = await usePostfix(context, OPTIONS);
    const large = `Subject: large\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat(7000)}`;
    expect(await send(server, ['big@away.test'], {}, large)).toMatchObject([{ is: 'refused', code: 552 }]);
    expect(await server.messagesFor('big@away.test')).toEqual([]);
  });

  it('takes an empty sender', async (context) => {
    const server = await usePostfix(context, OPTIONS);
    const mail = { from: '', to: ['report@away.test'], raw: Buffer.from(TEXT) };
    expect(await sendByRelay(mail, settings(server.port), never)).toMatchObject([{ is: 'sent' }]);
    await eventually(async () =>
      expect((await arrived(server, 'report@away.test')).join()).toContain('Return-Path: <>'),
    );
  });
});
