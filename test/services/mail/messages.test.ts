import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../support/jars.ts';
import { graphClient } from './graph-client.ts';

onBothStores('messages of a mailbox', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench, { version: 'beta' });
  });

  it('a draft is created, read, listed, changed, copied, moved and deleted by the official client', async () => {
    const draft = await client.api('/me/messages').post({
      subject: 'Lunch',
      importance: 'Low',
      body: { contentType: 'HTML', content: '<p>They were <b>awesome</b>!</p>' },
      toRecipients: [{ emailAddress: { address: 'licensed@vendor.example' } }],
    });
    expect(draft).toMatchObject({
      subject: 'Lunch',
      importance: 'low',
      isDraft: true,
      isRead: true,
      bodyPreview: 'They were awesome!',
    });
    expect(draft['@odata.context']).toMatch(/\/beta\/\$metadata#users\('[0-9a-f-]{36}'\)\/messages\/\$entity$/);
    expect(await client.api(`/me/messages/${draft.id}`).get()).toMatchObject({ id: draft.id, subject: 'Lunch' });
    const drafts = await client.api("/me/mailFolders('Drafts')/messages").select('subject').get();
    expect(drafts.value).toEqual([{ '@odata.etag': draft['@odata.etag'], id: draft.id, subject: 'Lunch' }]);
    expect(await client.api('/me/mailFolders/drafts').get()).toMatchObject({
      displayName: 'Drafts',
      totalItemCount: 1,
      unreadItemCount: 0,
    });
    const changed = await client.api(`/me/messages/${draft.id}`).patch({ isRead: false, categories: ['Red'] });
    expect(changed).toMatchObject({ isRead: false, categories: ['Red'] });
    expect(changed.changeKey).not.toBe(draft.changeKey);
    expect((await client.api('/me/mailFolders/drafts').get()).unreadItemCount).toBe(1);
    const copy = await client.api(`/me/messages/${draft.id}/copy`).post({ destinationId: 'archive' });
    expect(copy).toMatchObject({ subject: 'Lunch', isRead: false });
    const moved = await client.api(`/me/messages/${draft.id}/move`).post({ destinationId: 'inbox' });
    expect(moved.id).not.toBe(draft.id);
    await expect(client.api(`/me/messages/${draft.id}`).get()).rejects.toMatchObject({
      statusCode: 404,
      code: 'ErrorItemNotFound',
    });
    await client.api(`/me/messages/${moved.id}`).delete();
    expect((await client.api('/me/mailFolders/deleteditems/messages').get()).value).toMatchObject([
      { subject: 'Lunch' },
    ]);
    const found = await client
      .api('/me/messages')
      .filter("categories/any(c:c eq 'Red') and isRead eq false")
      .count(true)
      .get();
    expect(found['@odata.count']).toBe(2);
  });
});
