import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';
import { mailControl } from './support.ts';

onBothStores('mailboxes in the control API', (bench) => {
  beforeEach(() => bench.jar.reset());

  const mail = { from: 'Carol <carol@fabrikam.example>', to: 'admin', subject: 'Lunch', text: 'At noon?' };
  const withFile = (name: string, content: string) => ({
    ...mail,
    attachments: [{ name, contentType: 'text/plain', contentBytes: Buffer.from(content).toString('base64') }],
  });

  it('are listed with their counts after their first use', async () => {
    const control = mailControl(bench);
    expect((await control.get('mailboxes')).value).toEqual([]);
    await control.send({ ...mail, to: ['admin', 'other@other.example'] });
    await control.send(mail);
    const { value } = await control.get('mailboxes?$orderby=address');
    expect(value).toMatchObject([
      { user: 'admin', address: 'admin@vendor.example', messages: 2, unread: 2 },
      { user: 'other', address: 'other@other.example', messages: 1, unread: 1 },
    ]);
    expect(await control.get('mailboxes/admin@vendor.example')).toEqual(value[0]);
    expect(await control.get(`mailboxes/${value[0].id}`)).toEqual(value[0]);
    expect(await control.get('mailboxes/licensed')).toMatchObject({ user: 'licensed', messages: 0 });
  });

  it('show their messages, newest first, even if the clock stands still', async () => {
    const control = mailControl(bench);
    for (let i = 0; i < 12; i++) await control.send({ ...mail, subject: `Mail ${i}` });
    const { value } = await control.get('mailboxes/admin/messages');
    expect(value.map(({ subject }: { subject: string }) => subject)).toEqual(
      Array.from({ length: 12 }, (_, i) => `Mail ${11 - i}`),
    );
    expect(value[0]).toMatchObject({
      from: 'carol@fabrikam.example',
      fromName: 'Carol',
      to: ['admin@vendor.example'],
      folder: 'Inbox',
      isRead: false,
      hasAttachments: false,
      meetingMessageType: null,
      meeting: null,
    });
  });

  it('are one list of all messages, merged by time over any number of pages', async () => {
    const control = mailControl(bench);
    for (let i = 0; i < 9; i++) {
      if (i % 4 === 3) await bench.jar.clock.advance('1m');
      await control.send({
        ...mail,
        subject: `Mail ${i}`,
        to: ['admin', 'licensed', 'other@other.example'].slice(i % 3),
      });
    }
    const { value: whole } = await control.get('messages');
    expect(whole).toHaveLength(18);
    const places = whole.map(({ receivedAt }: { receivedAt: string }) => receivedAt);
    expect(places).toEqual(places.toSorted().reverse());
    expect(whole.at(-1)).toMatchObject({ subject: 'Mail 0', folder: 'Inbox' });
    expect(whole[0]).toMatchObject({ subject: 'Mail 8', user: 'other', mailbox: 'other@other.example' });
    const paged = [];
    for (let path: string | undefined = 'messages?$top=4'; path; ) {
      const { value, nextLink }: { value: object[]; nextLink?: string } = await control.get(path);
      paged.push(...value);
      path = nextLink?.split('/_jar/mail/')[1];
    }
    expect(paged).toEqual(whole);
    const subjects = async (query: string): Promise<string[]> =>
      (await control.get(`messages${query}`)).value.map(({ subject }: { subject: string }) => subject);
    expect(await subjects('?user=admin')).toEqual(['Mail 6', 'Mail 3', 'Mail 0']);
    expect(await subjects("?$filter=contains(subject,'MAIL 6') and user ne 'admin'")).toEqual(['Mail 6', 'Mail 6']);
    expect(await subjects('?$orderby=subject asc&$top=3')).toEqual(['Mail 0', 'Mail 0', 'Mail 0']);
    expect((await control.ask('GET', 'messages?user=nobody')).status).toBe(404);
  });

  it('show the messages of a folder, or only received messages', async () => {
    const control = mailControl(bench);
    const client = await graphClient(bench);
    await control.send(mail);
    await client.api('/me/messages').post({ subject: 'Draft' });
    await client.api('/me/sendMail').post({
      message: { subject: 'Out', toRecipients: [{ emailAddress: { address: 'licensed@vendor.example' } }] },
    });
    await bench.jar.settled();
    const subjects = async (query: string): Promise<string[]> =>
      (await control.get(`mailboxes/admin/messages${query}`)).value.map(({ subject }: { subject: string }) => subject);
    expect((await subjects('')).toSorted()).toEqual(['Draft', 'Lunch', 'Out']);
    expect(await subjects('?folder=drafts')).toEqual(['Draft']);
    expect(await subjects('?folder=Sent%20Items')).toEqual(['Out']);
    expect(await subjects('?received=true')).toEqual(['Lunch']);
    expect(await subjects("?$filter=folder eq 'Inbox' and contains(subject,'LUN')")).toEqual(['Lunch']);
    expect(await control.ask('GET', 'mailboxes/admin/messages?folder=none')).toMatchObject({
      status: 404,
      body: { error: { code: 'FolderNotFound' } },
    });
  });

  it('show a message with its body, its header and its attachments, by either id', async () => {
    const control = mailControl(bench);
    const id = await control.send({ ...withFile('a.txt', 'hello'), html: '<p>At <b>noon</b>?</p>', text: 'other' });
    const message = await control.get(`mailboxes/admin/messages/${id}`);
    expect(message).toMatchObject({ id, text: 'At noon?', html: '<p>At <b>noon</b>?</p>', hasAttachments: true });
    expect(message.headers).toContainEqual({ name: 'Subject', value: 'Lunch' });
    expect(message.attachments).toMatchObject([{ name: 'a.txt', kind: 'file', contentType: 'text/plain', size: 5 }]);
    const [{ id: attachment }] = message.attachments;
    const content = await control.ask('GET', `mailboxes/admin/messages/${id}/attachments/${attachment}`);
    expect(content.bytes.toString()).toBe('hello');
    expect(content.headers.get('content-disposition')).toBe('attachment');

    const client = await graphClient(bench);
    const [listed] = (await client.api('/me/messages').get()).value;
    expect((await control.get(`mailboxes/admin/messages/${listed.id}`)).id).toBe(id);
    expect((await control.ask('GET', `mailboxes/licensed/messages/${listed.id}`)).status).toBe(404);
    expect((await control.ask('GET', `mailboxes/licensed/messages/${id}`)).status).toBe(404);
  });

  it('give the source of a message, as it came or as a draft would go', async () => {
    const control = mailControl(bench);
    const mime =
      'From: carol@fabrikam.example\nTo: admin@vendor.example\nSubject: Raw\nMessage-ID: <raw@x.example>\n\nHé\n';
    const [{ id }] = (await control.sendMime(mime)).body.recipients;
    const source = await control.ask('GET', `mailboxes/admin/messages/${id}/source`);
    expect(source.headers.get('content-type')).toBe('message/rfc822');
    expect(source.bytes.toString().endsWith(mime.replaceAll('\n', '\r\n'))).toBe(true);
    const client = await graphClient(bench);
    const draft = await client.api('/me/messages').post({ subject: 'Not yet' });
    const composed = await control.ask('GET', `mailboxes/admin/messages/${draft.id}/source`);
    expect(composed.bytes.toString()).toContain('Subject: Not yet\r\n');
  });

  it('are emptied, with everything that belongs to their messages, and get the same mail once more', async () => {
    const control = mailControl(bench);
    for (let i = 0; i < 104; i++) await control.send(withFile('a.txt', String(i)));
    await control.send({ ...mail, meeting: { start: '2031-01-06T09:00:00Z' } });
    await control.send({ ...mail, to: 'licensed' });
    expect(await control.empty('admin')).toEqual({ removed: 105 });
    expect((await control.get('mailboxes/admin/messages')).value).toEqual([]);
    expect(await control.get('mailboxes/admin')).toMatchObject({ messages: 0, unread: 0 });
    expect(await control.get('mailboxes/licensed')).toMatchObject({ messages: 1 });
    expect((await control.get('mailboxes/admin/events')).value).toHaveLength(1);
    expect(await control.empty('admin')).toEqual({ removed: 0 });
    expect((await control.sendMime('To: admin@vendor.example\n\nx')).status).toBe(201);
  });

  it('show events with the answers of the owner and of the attendees', async () => {
    const control = mailControl(bench);
    await control.send({
      ...mail,
      to: ['admin', 'licensed'],
      subject: 'Review',
      meeting: { start: '2031-01-06T10:00:00', timeZone: 'Europe/Berlin', duration: '45m', location: 'Room 1' },
    });
    const client = await graphClient(bench);
    const [event] = (await client.api('/me/events').get()).value;
    await client.api(`/me/events/${event.id}/accept`).post({ sendResponse: false });
    expect((await control.get('mailboxes/admin/events')).value).toMatchObject([
      {
        subject: 'Review',
        start: '2031-01-06T09:00:00.000Z',
        end: '2031-01-06T09:45:00.000Z',
        timeZone: 'Europe/Berlin',
        type: 'singleInstance',
        location: 'Room 1',
        organizer: 'carol@fabrikam.example',
        isOrganizer: false,
        response: 'accepted',
        attendees: [
          { address: 'admin@vendor.example', type: 'required' },
          { address: 'licensed@vendor.example', type: 'required' },
          { address: 'carol@fabrikam.example' },
        ],
      },
    ]);
  });

  it('keep mail to other domains if there is no relay, with its source', async () => {
    const control = mailControl(bench);
    const client = await graphClient(bench);
    await client.api('/me/sendMail').post({
      message: { subject: 'Out', toRecipients: [{ emailAddress: { address: 'eve@fabrikam.example' } }] },
    });
    await bench.jar.settled();
    const { value } = await control.get('kept');
    expect(value).toMatchObject([{ from: 'admin@vendor.example', to: 'eve@fabrikam.example', subject: 'Out' }]);
    const source = await control.ask('GET', `kept/${value[0].id}/source`);
    expect(source.bytes.toString()).toContain('To: eve@fabrikam.example\r\n');
    expect((await control.get('queued')).value).toEqual([]);
    expect((await control.ask('GET', 'kept/nothing/source')).body.error.code).toBe('KeptMailNotFound');
  });

  it('keep the newest mails that cannot leave the jar, and share the bytes of a mail with many recipients', async () => {
    const control = mailControl(bench);
    const client = await graphClient(bench);
    const sendOut = async (subject: string, ...to: readonly string[]) => {
      const toRecipients = to.map((name) => ({ emailAddress: { address: `${name}@fabrikam.example` } }));
      await client.api('/me/sendMail').post({ message: { subject, toRecipients } });
      await bench.jar.settled();
    };
    const kept = async (): Promise<readonly { id: string; subject: string; to: string }[]> =>
      (await control.get('kept')).value;
    const names = async () => (await kept()).map(({ subject, to }) => `${subject} ${to.split('@')[0]}`);
    await control.ask('PATCH', 'settings', { keptMailLimit: 3 });
    await sendOut('First', 'eve', 'frank');
    await sendOut('Second', 'eve');
    expect(await names()).toEqual(['Second eve', 'First frank', 'First eve']);
    await sendOut('Third', 'eve');
    expect(await names()).toEqual(['Third eve', 'Second eve', 'First frank']);

    const [, second, first] = await kept();
    expect((await control.ask('GET', `kept/${first?.id}/source`)).bytes.toString()).toContain('Subject: First\r\n');
    expect((await control.ask('DELETE', `kept/${second?.id}`)).status).toBe(204);
    expect((await control.ask('DELETE', `kept/${second?.id}`)).body.error.code).toBe('KeptMailNotFound');
    expect((await control.ask('GET', `kept/${second?.id}/source`)).status).toBe(404);
    expect((await control.ask('DELETE', 'kept')).body).toEqual({ removed: 2 });
    expect((await control.ask('DELETE', 'kept')).body).toEqual({ removed: 0 });
    await control.ask('PATCH', 'settings', { keptMailLimit: 2 });
    await sendOut('Fourth', 'eve', 'frank', 'grace');
    expect(await names()).toEqual(['Fourth grace', 'Fourth frank']);
    await control.ask('PATCH', 'settings', { keptMailLimit: null });
  });

  it('belong to users, and reject callers without the admin key', async () => {
    const control = mailControl(bench);
    for (const path of ['mailboxes/nobody', 'mailboxes/nobody/messages', 'mailboxes/app/events'])
      expect(await control.ask('GET', path)).toMatchObject({ status: 404, body: { error: { code: 'UserNotFound' } } });
    expect((await control.ask('DELETE', 'mailboxes/nobody/messages')).status).toBe(404);
    for (const id of ['x', '../..', 'A'.repeat(16), 'A'.repeat(36)])
      expect((await control.ask('GET', `mailboxes/admin/messages/${encodeURIComponent(id)}`)).status).toBe(404);
    const { status } = await fetch(`${bench.jar.url}/_jar/mail/mailboxes`);
    expect(status).toBe(401);
  });
});
