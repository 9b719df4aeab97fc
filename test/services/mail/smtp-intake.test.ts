import { createTransport } from 'nodemailer';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../support/jars.ts';
import { graphClient } from './graph-client.ts';

onBothStores('mail that arrives by SMTP', (bench) => {
  beforeEach(() => bench.jar.reset());

  const transport = () =>
    createTransport({ host: 'localhost', port: bench.jar.smtpPort, requireTLS: true, tls: { ca: bench.jar.ca } });

  it('is in the inboxes of all its recipients when it is acknowledged, and only once if it is sent again', async () => {
    const mail = {
      from: 'Carol <carol@fabrikam.example>',
      to: ['admin@vendor.example', 'licensed@vendor.example'],
      subject: 'Héllo',
      text: 'Good morning',
      messageId: '<one@fabrikam.example>',
      date: new Date('2026-01-05T08:00:00Z'),
      attachments: [{ filename: 'a.txt', content: 'hello' }],
    };
    const raw = [
      'From: Carol <carol@fabrikam.example>',
      'To: admin@vendor.example',
      'Subject: Twice',
      'Message-ID: <two@fabrikam.example>',
      '',
      'Hello',
    ].join('\r\n');
    await transport().sendMail(mail);
    for (let i = 0; i < 2; i++)
      await transport().sendMail({ envelope: { from: 'carol@fabrikam.example', to: ['admin@vendor.example'] }, raw });
    const ada = await graphClient(bench);
    const lin = await graphClient(bench, { user: 'licensed' });
    const inbox = await ada
      .api('/me/mailFolders/inbox/messages')
      .filter("from/emailAddress/address eq 'carol@fabrikam.example'")
      .get();
    expect(inbox.value.map(({ subject }: { subject: string }) => subject).toSorted()).toEqual(['Héllo', 'Twice']);
    const [first] = (await lin.api('/me/mailFolders/inbox/messages').get()).value;
    expect(first).toMatchObject({
      subject: 'Héllo',
      isRead: false,
      isDraft: false,
      hasAttachments: true,
      bodyPreview: 'Good morning',
      sentDateTime: '2026-01-05T08:00:00Z',
      internetMessageId: '<one@fabrikam.example>',
    });
  });

  it('is refused for addresses that are not of the jar', async () => {
    const send = (to: string) => transport().sendMail({ from: 'carol@fabrikam.example', to, text: 'x' });
    await expect(send('nobody@vendor.example')).rejects.toMatchObject({ responseCode: 550 });
    await expect(send('eve@fabrikam.example')).rejects.toMatchObject({ responseCode: 550 });
  });
});
