import PostalMime from 'postal-mime';
import { beforeEach, expect, it } from 'vitest';
import { recipientValue } from '../../../../src/services/mail/mime/delivery-status.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { mailControl } from '../control/support.ts';
import { scriptedRelay } from '../relay/relays.ts';
import { Gate } from './gate.ts';

const gate = await Gate.open();

onAnyStore(
  'mail that the relay does not take',
  (bench) => {
    beforeEach(() => bench.jar.reset());

    const sendTo = async (answers: Readonly<Record<string, string>>, subject: string, ...to: readonly string[]) => {
      gate.target = (await scriptedRelay(answers)).port;
      const toRecipients = to.map((address) => ({ emailAddress: { address } }));
      const message = { subject, toRecipients, body: { content: 'Secret text' } };
      expect((await bench.call('POST', '/v1.0/me/sendMail', { body: { message } })).status).toBe(202);
      await bench.jar.settled();
    };
    const reports = () => bench.jar.mailbox('admin').messages({ folder: 'inbox' });
    const change = async (body: object) =>
      expect((await mailControl(bench).ask('PATCH', 'settings', body)).status).toBe(200);

    it('is reported by a mail that programs can read: the status of the recipient, and the header of the original', async () => {
      await sendTo({ RCPT: '550 5.1.1 No such user: \u00e9v\u00e9' }, 'Gr\u00fc\u00dfe', 'eve@fabrikam.example');
      const [report] = await reports();
      expect(report).toMatchObject({ subject: 'Undeliverable: Gr\u00fc\u00dfe', from: 'postmaster@vendor.example' });
      expect(report?.text).toContain('Your message to eve@fabrikam.example could not be delivered.');
      const source = (await report?.source()) ?? '';
      expect(String(source).replace(/\r\n[ \t]+/g, ' ')).toMatch(
        /^Content-Type: multipart\/report; boundary="[^"]+"; report-type=delivery-status\r$/m,
      );
      // Parsed by a library that did not write it.
      const { attachments, headers, text } = await PostalMime.parse(source);
      expect(headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-replied');
      expect(text).toContain('Reason: 550 5.1.1');
      const part = (type: string): string => {
        const found = attachments.find(({ mimeType }) => mimeType === type)?.content;
        return typeof found === 'string' ? found : new TextDecoder().decode(found);
      };
      const groups = part('message/delivery-status')
        .replace(/\r?\n[ \t]+/g, ' ')
        .trim()
        .split(/\r?\n\r?\n/)
        .map((group) => Object.fromEntries(group.split(/\r?\n/).map((line) => line.split(/: (.*)/s))));
      expect(groups).toEqual([
        { 'Reporting-MTA': 'dns; vendor.example', 'Arrival-Date': expect.stringMatching(/ 2026 /) },
        {
          'Final-Recipient': 'rfc822; eve@fabrikam.example',
          Action: 'failed',
          Status: '5.1.1',
          'Remote-MTA': 'dns; [127.0.0.1]',
          'Diagnostic-Code': expect.stringMatching(/^smtp; 550 5\.1\.1 No such user: /),
          'Last-Attempt-Date': expect.stringMatching(/ 2026 /),
        },
      ]);
      const original = part('text/rfc822-headers');
      expect(original).toMatch(/^From: .*admin@vendor\.example/m);
      expect(original).toMatch(/^To: eve@fabrikam\.example/m);
      expect(original).not.toContain('Secret text');
    });

    it('is one report for all unknown names of the own domain', async () => {
      await sendTo({}, 'Lost', 'nobody@vendor.example', 'nothing@vendor.example');
      const all = await reports();
      expect(all).toHaveLength(1);
      const source = String(await all[0]?.source());
      expect(source.match(/^Final-Recipient: .*$/gm)).toEqual([
        'Final-Recipient: rfc822; nobody@vendor.example',
        'Final-Recipient: rfc822; nothing@vendor.example',
      ]);
      expect(source).not.toContain('Remote-MTA');
    });

    it('is retried as long as the setting says, and each answer of the relay is waited for as long', async () => {
      await change({ relayLifetime: '30m', relayAnswerTimeout: '1s' });
      await sendTo({ MAIL: 'hang' }, 'Slow', 'eve@fabrikam.example');
      const path = '/_jar/deliveries?policy=mail.relay';
      const { body } = await bench.call('GET', path, { token: bench.jar.adminKey });
      expect(body.value).toMatchObject([{ state: 'queued', attempts: 1, lastAttempt: { outcome: 'TimedOut' } }]);
      expect(await reports()).toEqual([]);
      gate.isOpen = false;
      await bench.jar.clock.advance('1h');
      gate.isOpen = true;
      const [report] = await reports();
      expect(report?.subject).toBe('Undeliverable: Slow');
      expect(String(await report?.source())).toMatch(/^Status: 4\.4\.7\r$/m);
      await change({ relayLifetime: null, relayAnswerTimeout: null });
    });

    it('has one attempt of no more than the setting', async () => {
      await change({ relayTimeout: '1s' });
      await sendTo({ '.': 'hang' }, 'Slow', 'eve@fabrikam.example');
      const path = '/_jar/deliveries?policy=mail.relay';
      const { body } = await bench.call('GET', path, { token: bench.jar.adminKey });
      expect(body.value).toMatchObject([{ state: 'queued', lastAttempt: { outcome: 'TimedOut' } }]);
      await change({ relayTimeout: null });
    });
  },
  {
    clockStart: '2026-01-05T08:00:00Z',
    settings: { mail: { relay: { host: '127.0.0.1', port: gate.port, tls: 'off' } } },
  },
);

it('an address that is not ASCII is written by its code points', () => {
  expect(recipientValue('eve@fabrikam.example')).toBe('rfc822; eve@fabrikam.example');
  expect(recipientValue('j\u00f6rg\\x@b\u00fccher.example')).toBe('utf-8; j\\x{F6}rg\\x{5C}x@b\\x{FC}cher.example');
});
