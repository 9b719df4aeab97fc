import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const FILE = {
  '@odata.type': '#microsoft.graph.fileAttachment',
  name: 'smile.txt',
  contentBytes: base64('a smile'),
};

onBothStores('attachments of messages', (bench) => {
  let client: Client;
  let path: string;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
    const draft = await client.api('/me/messages').post({ subject: 'With files' });
    path = `/me/messages/${draft.id}`;
  });

  it('a file is attached, listed, read, downloaded and removed by the official client', async () => {
    const before = await client.api(path).get();
    expect(before.hasAttachments).toBe(false);
    const added = await client.api(`${path}/attachments`).post({ ...FILE, contentId: 'cid1' });
    expect(added).toMatchObject({
      '@odata.type': '#microsoft.graph.fileAttachment',
      '@odata.mediaContentType': 'text/plain',
      name: 'smile.txt',
      contentType: 'text/plain',
      size: 7,
      isInline: false,
      contentId: 'cid1',
      contentLocation: null,
      contentBytes: base64('a smile'),
    });
    expect(added['@odata.context']).toMatch(
      /\/v1\.0\/\$metadata#users\('[^']+'\)\/messages\('[^']+'\)\/attachments\/\$entity$/,
    );
    const after = await client.api(path).get();
    expect(after.hasAttachments).toBe(true);
    expect(after.changeKey).not.toBe(before.changeKey);
    const listed = await client.api(`${path}/attachments`).get();
    const { '@odata.context': _, ...view } = added;
    expect(listed.value).toEqual([view]);
    expect(listed['@odata.context']).toMatch(/\/attachments$/);
    expect(await client.api(`${path}/attachments/${added.id}`).get()).toMatchObject(view);
    const raw = await bench.call('GET', `/v1.0${path}/attachments/${added.id}/$value`);
    expect([raw.status, raw.headers.get('content-type'), raw.text]).toEqual([200, 'text/plain', 'a smile']);
    await client.api(`${path}/attachments/${added.id}`).delete();
    expect((await client.api(`${path}/attachments`).get()).value).toEqual([]);
    expect((await client.api(path).get()).hasAttachments).toBe(false);
    await expect(client.api(`${path}/attachments/${added.id}`).get()).rejects.toMatchObject({
      statusCode: 404,
      code: 'ErrorItemNotFound',
    });
  });

  it('lists keep the order in which attachments were added, and take $filter, $select, $top and $count', async () => {
    const names = ['z.txt', 'a.txt', 'm.png', 'b.txt'];
    for (const name of names)
      await client.api(`${path}/attachments`).post({ ...FILE, name, isInline: name === 'm.png' });
    const all = await client.api(`${path}/attachments`).select('name').get();
    expect(all.value.map((each: { name: string }) => each.name)).toEqual(names);
    expect(Object.keys(all.value[0]).sort()).toEqual(['@odata.mediaContentType', '@odata.type', 'id', 'name']);
    const found = await client.api(`${path}/attachments`).filter('isInline eq true').get();
    expect(found.value).toMatchObject([{ name: 'm.png', contentBytes: base64('a smile') }]);
    const page = await client.api(`${path}/attachments`).top(2).count(true).get();
    expect(page['@odata.count']).toBe(4);
    expect(page.value.map((each: { name: string }) => each.name)).toEqual(['z.txt', 'a.txt']);
    const next = await client.api(page['@odata.nextLink']).get();
    expect(next.value.map((each: { name: string }) => each.name)).toEqual(['m.png', 'b.txt']);
    const count = await bench.call('GET', `/v1.0${path}/attachments/$count?$filter=isInline eq false and size gt 3`);
    expect([count.headers.get('content-type'), count.text]).toEqual(['text/plain', '3']);
    const ids = await client.api(`${path}/attachments`).select('id,microsoft.graph.fileAttachment/contentId').get();
    expect(ids.value[0].contentId).toBeNull();
  });

  it('attachments can be sent with a new message, and inline attachments do not count', async () => {
    const draft = await client.api('/me/messages').post({
      subject: 'Both',
      attachments: [{ ...FILE, '@odata.type': '#Microsoft.OutlookServices.FileAttachment', isInline: true }],
    });
    expect(draft.hasAttachments).toBe(false);
    const expanded = await client.api(`/me/messages/${draft.id}`).expand('attachments').get();
    expect(expanded.attachments).toMatchObject([
      { name: 'smile.txt', isInline: true, contentBytes: FILE.contentBytes },
    ]);
    const other = await client.api('/me/messages').post({ attachments: [FILE, { ...FILE, name: 'two.txt' }] });
    expect(other.hasAttachments).toBe(true);
    const list = await client
      .api('/me/messages')
      .expand('attachments($select=name)')
      .select('subject')
      .filter('hasAttachments eq true')
      .get();
    expect(list.value).toHaveLength(1);
    expect(list.value[0].attachments.map((each: object) => Object.keys(each).sort())).toEqual([
      ['@odata.mediaContentType', '@odata.type', 'id', 'name'],
      ['@odata.mediaContentType', '@odata.type', 'id', 'name'],
    ]);
  });

  it('an attachment keeps its id when its message moves, and a copy has attachments of its own', async () => {
    const added = await client.api(`${path}/attachments`).post(FILE);
    const copy = await client.api(`${path}/copy`).post({ destinationId: 'archive' });
    const moved = await client.api(`${path}/move`).post({ destinationId: 'inbox' });
    const same = await client.api(`/me/messages/${moved.id}/attachments/${added.id}`).get();
    expect(same.contentBytes).toBe(FILE.contentBytes);
    const [copied] = (await client.api(`/me/messages/${copy.id}/attachments`).get()).value;
    expect(copied).toMatchObject({ name: 'smile.txt', contentBytes: FILE.contentBytes });
    expect(copied.id).not.toBe(added.id);
    await client.api(`/me/messages/${moved.id}/permanentDelete`).post({});
    expect((await client.api(`/me/messages/${copy.id}/attachments/${copied.id}`).get()).size).toBe(7);
  });

  it('a reference has no content of its own', async () => {
    const added = await client.api(`${path}/attachments`).post({
      '@odata.type': '#microsoft.graph.referenceAttachment',
      name: 'Personal pictures',
      sourceUrl: 'https://contoso.com/personal/mario_contoso_net/Documents/Pics',
      providerType: 'OneDriveBusiness',
      permission: 'Edit',
      isFolder: 'True',
    });
    expect(added).toMatchObject({
      '@odata.type': '#microsoft.graph.referenceAttachment',
      providerType: 'oneDriveBusiness',
      permission: 'edit',
      isFolder: true,
      contentType: null,
    });
    const value = await bench.call('GET', `/v1.0${path}/attachments/${added.id}/$value`);
    expect([value.status, value.body.error.code]).toEqual([405, 'MethodNotAllowed']);
  });

  it('an attached message is shown by $expand with its own attachments, and downloaded as mail', async () => {
    const inner = (depth: number): object => ({
      '@odata.type': '#microsoft.graph.itemAttachment',
      name: `Level ${depth}`,
      item: {
        '@odata.type': 'microsoft.graph.message',
        subject: `Subject ${depth}`,
        body: { contentType: 'HTML', content: `<p>Body ${depth}</p>` },
        toRecipients: [{ emailAddress: { address: 'b@vendor.example' } }],
        sentDateTime: '2020-01-02T03:04:05Z',
        attachments: depth < 3 ? [inner(depth + 1), FILE] : [],
      },
    });
    const added = await client.api(`${path}/attachments`).post(inner(1));
    expect(added).toMatchObject({ '@odata.type': '#microsoft.graph.itemAttachment', name: 'Level 1' });
    expect(added).not.toHaveProperty('item');
    const one = `${path}/attachments/${added.id}`;
    expect(await client.api(one).get()).not.toHaveProperty('item');
    const { item } = await client.api(one).expand('microsoft.graph.itemattachment/item').get();
    expect(item).toMatchObject({
      '@odata.type': '#microsoft.graph.message',
      id: '',
      subject: 'Subject 1',
      isDraft: false,
      hasAttachments: true,
      sentDateTime: '2020-01-02T03:04:05Z',
      body: { contentType: 'html', content: '<p>Body 1</p>' },
      attachments: [{ item: { subject: 'Subject 2', attachments: [{ item: { subject: 'Subject 3' } }, {}] } }, {}],
    });
    expect(item.attachments[1].contentBytes).toBe(FILE.contentBytes);
    expect(item).not.toHaveProperty('webLink');
    const nested = await client
      .api(one)
      .expand('microsoft.graph.itemAttachment/item($expand=microsoft.graph.message/attachments)')
      .get();
    expect(nested.item.attachments).toEqual(item.attachments);
    const mail = await bench.call('GET', `/v1.0${one}/$value`);
    expect(mail.headers.get('content-type')).toBe('message/rfc822');
    expect(mail.text).toMatch(/^Subject: Subject 1\r$/m);
    expect(mail.text).toMatch(/^Subject: Subject 3\r$/m);
    await client.api(`${path}/attachments`).post(FILE);
    const list = await client.api(`${path}/attachments`).expand('microsoft.graph.itemattachment/item').get();
    expect(list.value.map((each: object) => 'item' in each)).toEqual([true, false]);
  });

  it('an attached event is downloaded as a calendar and a contact as a vCard', async () => {
    const event = await client.api(`${path}/attachments`).post({
      '@odata.type': '#microsoft.graph.itemAttachment',
      name: 'Holiday event',
      item: {
        '@odata.type': 'microsoft.graph.event',
        subject: 'Discuss gifts; and more',
        body: { contentType: 'HTML', content: 'Let us look for funding!' },
        start: { dateTime: '2019-02-02T18:00:00', timeZone: 'Pacific Standard Time' },
        end: { dateTime: '2019-02-02T19:00:00', timeZone: 'Pacific Standard Time' },
        attendees: [{ type: 'required', emailAddress: { name: 'B', address: 'b@vendor.example' } }],
      },
    });
    const calendar = await bench.call('GET', `/v1.0${path}/attachments/${event.id}/$value`);
    expect(calendar.headers.get('content-type')).toBe('text/calendar');
    expect(calendar.text).toContain('SUMMARY:Discuss gifts\\; and more\r\n');
    expect(calendar.text).toMatch(/^DTSTART;TZID=.*:20190202T180000\r$/m);
    const contact = await client.api(`${path}/attachments`).post({
      '@odata.type': '#microsoft.graph.itemAttachment',
      name: 'Contact',
      item: {
        '@odata.type': '#microsoft.graph.contact',
        displayName: 'Pavel, Bansky',
        surname: 'Bansky',
        emailAddresses: [{ address: 'pavelb@vendor.example', name: 'Pavel' }],
        businessPhones: ['+1 732 555 0102'],
      },
    });
    const card = await bench.call('GET', `/v1.0${path}/attachments/${contact.id}/$value`);
    expect(card.headers.get('content-type')).toBe('text/vcard');
    expect(card.text.split('\r\n')).toEqual(
      expect.arrayContaining(['FN:Pavel\\, Bansky', 'EMAIL:pavelb@vendor.example', 'TEL;TYPE=WORK:+1 732 555 0102']),
    );
    const { item } = await client.api(`${path}/attachments/${contact.id}`).expand('item').get();
    expect(item).toMatchObject({ '@odata.type': '#microsoft.graph.contact', displayName: 'Pavel, Bansky' });
  });
});
