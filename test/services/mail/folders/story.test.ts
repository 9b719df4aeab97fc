import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

onBothStores('folders of a mailbox', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench, { version: 'beta' });
  });

  const folder = (displayName: string, parent?: string) =>
    client
      .api(parent === undefined ? '/me/mailFolders' : `/me/mailFolders/${parent}/childFolders`)
      .post({ displayName });

  const message = (subject: string, parent: string, isRead = false) =>
    client.api(`/me/mailFolders/${parent}/messages`).post({ subject, isRead });

  /** Creates many messages, twenty in each request. */
  const fill = async (parent: string, count: number, isRead: (at: number) => boolean = () => false) => {
    const created: string[] = [];
    for (let from = 0; from < count; from += 20) {
      const requests = Array.from({ length: Math.min(20, count - from) }, (_, at) => ({
        id: String(at),
        method: 'POST',
        url: `/me/mailFolders/${parent}/messages`,
        headers: { 'Content-Type': 'application/json' },
        body: { subject: `Message ${from + at}`, isRead: isRead(from + at) },
      }));
      const { responses } = await client.api('/$batch').post({ requests });
      for (const { status, body } of responses) {
        expect(status).toBe(201);
        created.push(body.id);
      }
    }
    return created;
  };

  const get = (id: string) => client.api(`/me/mailFolders/${id}`).get();

  it('folders are created, nested, renamed, listed with their children and counted', async () => {
    const work = await folder('Work');
    expect(work).toMatchObject({ displayName: 'Work', childFolderCount: 0, totalItemCount: 0, isHidden: false });
    expect(work['@odata.context']).toMatch(/\/mailFolders\/\$entity$/);
    const reports = await folder('Reports', work.id);
    expect(reports.parentFolderId).toBe(work.id);
    expect(reports['@odata.context']).toContain(`/mailFolders('${work.id}')/childFolders/$entity`);
    await client.api('/me/mailFolders').post({ displayName: 'Hidden', isHidden: true });
    await message('One', reports.id);
    await message('Two', reports.id, true);
    expect(await client.api(`/me/mailFolders/${work.id}`).patch({ displayName: 'Office' })).toMatchObject({
      displayName: 'Office',
      childFolderCount: 1,
    });
    const named = async (query: string) =>
      (await client.api(`/me/mailFolders${query}`).get()).value.map(
        ({ displayName }: { displayName: string }) => displayName,
      );
    expect(await named('?$top=100')).toEqual([
      'Archive',
      'Conversation History',
      'Deleted Items',
      'Drafts',
      'Inbox',
      'Junk Email',
      'Office',
      'Outbox',
      'Sent Items',
    ]);
    expect(await named('?includeHiddenFolders=true&$top=100')).toContain('Hidden');
    expect(
      await named("?$filter=displayName eq 'office' or startswith(displayName,'In')&$orderby=displayName desc"),
    ).toEqual(['Office', 'Inbox']);
    const expanded = await client
      .api('/me/mailFolders')
      .filter("displayName eq 'Office'")
      .expand('childFolders($select=displayName,totalItemCount,unreadItemCount)')
      .get();
    expect(expanded.value[0].childFolders).toEqual([
      { id: reports.id, displayName: 'Reports', totalItemCount: 2, unreadItemCount: 1 },
    ]);
    const counted = await client.api('/me/mailFolders').top(2).count(true).get();
    expect(counted['@odata.count']).toBe(9);
    expect(counted['@odata.nextLink']).toContain('$skip=2');
    expect((await get('msgfolderroot')).childFolderCount).toBe(9);
  });

  it('a folder moves with all that is in it, and its messages keep their ids', async () => {
    const [a, b] = [await folder('A'), await folder('B')];
    const inner = await folder('Inner', a.id);
    const sent = await message('Deep', inner.id);
    const moved = await client.api(`/me/mailFolders/${a.id}/move`).post({ destinationId: b.id });
    expect(moved).toMatchObject({ id: a.id, parentFolderId: b.id, childFolderCount: 1 });
    expect(await get(b.id)).toMatchObject({ childFolderCount: 1 });
    expect(await client.api(`/me/messages/${sent.id}`).get()).toMatchObject({
      subject: 'Deep',
      parentFolderId: inner.id,
    });
    await expect(client.api(`/me/mailFolders/${b.id}/move`).post({ destinationId: inner.id })).rejects.toMatchObject({
      statusCode: 400,
      code: 'ErrorMoveCopyFailed',
    });
  });

  it('a copy of a folder has folders and messages of its own, however many there are', async () => {
    const source = await folder('Source');
    const inner = await folder('Inner', source.id);
    await fill(source.id, 60, (at) => at % 3 === 0);
    await fill(inner.id, 5);
    const copy = await client.api(`/me/mailFolders/${source.id}/copy`).post({ destinationId: 'archive' });
    expect(copy).toMatchObject({ displayName: 'Source', childFolderCount: 1 });
    await bench.jar.settled();
    expect(await get(copy.id)).toMatchObject({ totalItemCount: 60, unreadItemCount: 40 });
    const [copied] = (await client.api(`/me/mailFolders/${copy.id}/childFolders`).get()).value;
    expect(copied).toMatchObject({ displayName: 'Inner', totalItemCount: 5, unreadItemCount: 5 });
    await client.api(`/me/mailFolders/${source.id}/permanentDelete`).post({});
    await bench.jar.settled();
    expect((await client.api('/me/messages').count(true).get())['@odata.count']).toBe(65);
  });

  it('the first deletion moves a folder to the deleted items, the second one removes it with its messages', async () => {
    const [first, second] = [await folder('Old'), await folder('Old', 'inbox')];
    const kept = await message('Kept a while', first.id);
    await client.api(`/me/mailFolders/${first.id}`).delete();
    await client.api(`/me/mailFolders/${second.id}`).delete();
    const deleted = await client.api('/me/mailFolders/deleteditems/childFolders').get();
    expect(deleted.value).toMatchObject([{ displayName: 'Old' }, { displayName: 'Old (1)' }]);
    expect(await client.api(`/me/messages/${kept.id}`).get()).toMatchObject({ subject: 'Kept a while' });
    await client.api(`/me/mailFolders/${first.id}`).delete();
    await expect(get(first.id)).rejects.toMatchObject({ statusCode: 404, code: 'ErrorFolderNotFound' });
    await expect(client.api(`/me/messages/${kept.id}`).get()).rejects.toMatchObject({ code: 'ErrorItemNotFound' });
  });

  it('the content of a permanently deleted folder cannot be read after the response, while its messages are still being removed', async () => {
    const doomed = await folder('Doomed');
    const inner = await folder('Inner', doomed.id);
    const messages = await fill(inner.id, 120);
    await message('Stays', 'inbox');
    await client.api(`/me/mailFolders/${doomed.id}/permanentDelete`).post({});
    const listed = await client.api('/me/messages').count(true).get();
    expect(listed).toMatchObject({ '@odata.count': 1, value: [{ subject: 'Stays' }] });
    expect((await bench.call('GET', '/v1.0/me/messages/$count')).text).toBe('1');
    for (const id of messages.slice(0, 5))
      await expect(client.api(`/me/messages/${id}`).get()).rejects.toMatchObject({ code: 'ErrorItemNotFound' });
    await bench.jar.settled();
    expect((await client.api('/me/messages').count(true).get())['@odata.count']).toBe(1);
    await expect(get(inner.id)).rejects.toMatchObject({ code: 'ErrorFolderNotFound' });
  });

  it('all messages of a folder are marked as read, except those that arrive later', async () => {
    await fill('inbox', 210);
    const { status } = await bench.call('POST', '/beta/me/mailFolders/inbox/updateAllMessagesReadState', {
      body: { isRead: 'true', suppressReadReceipts: 'true' },
    });
    expect(status).toBe(202);
    await bench.jar.settled();
    expect(await get('inbox')).toMatchObject({ totalItemCount: 210, unreadItemCount: 0 });
    await message('Later', 'inbox');
    expect(await get('inbox')).toMatchObject({ totalItemCount: 211, unreadItemCount: 1 });
    expect(
      (await bench.call('POST', '/v1.0/me/mailFolders/inbox/updateAllMessagesReadState', { body: {} })).status,
    ).toBe(400);
  });

  it('a search folder shows the messages that its query finds in its sources and, on request, in the folders below them', async () => {
    const inner = await folder('Inner', 'inbox');
    const weekly = await message('Weekly digest', 'inbox');
    await message('Weekly digest below', inner.id, true);
    await message('Something else', 'inbox');
    const search = await client.api('/me/mailFolders/searchfolders/childFolders').post({
      '@odata.type': 'microsoft.graph.mailSearchFolder',
      displayName: 'Weekly digests',
      includeNestedFolders: true,
      sourceFolderIds: ['inbox'],
      filterQuery: "contains(subject, 'weekly digest')",
    });
    expect(search).toMatchObject({
      '@odata.type': '#microsoft.graph.mailSearchFolder',
      isSupported: true,
      includeNestedFolders: true,
      filterQuery: "contains(subject, 'weekly digest')",
      totalItemCount: 2,
      unreadItemCount: 1,
    });
    const subjects = async () =>
      (await client.api(`/me/mailFolders/${search.id}/messages`).orderby('subject').get()).value.map(
        ({ subject }: { subject: string }) => subject,
      );
    expect(await subjects()).toEqual(['Weekly digest', 'Weekly digest below']);
    expect(await client.api(`/me/mailFolders/${search.id}/messages/${weekly.id}`).get()).toMatchObject({
      id: weekly.id,
    });
    await client.api(`/me/mailFolders/${search.id}`).patch({ includeNestedFolders: false });
    expect(await subjects()).toEqual(['Weekly digest']);
    const listed = await client.api('/me/mailFolders/searchfolders/childFolders').get();
    expect(listed.value).toMatchObject([{ displayName: 'Weekly digests', totalItemCount: 1, unreadItemCount: 1 }]);
    await expect(client.api(`/me/messages/${weekly.id}/move`).post({ destinationId: search.id })).rejects.toMatchObject(
      { code: 'ErrorMoveCopyFailed' },
    );
    await client.api(`/me/mailFolders/${search.id}`).delete();
    await expect(get(search.id)).rejects.toMatchObject({ code: 'ErrorFolderNotFound' });
    expect(await get('inbox')).toMatchObject({ totalItemCount: 2 });
  });
});
