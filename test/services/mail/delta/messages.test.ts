import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';
import { round } from './sync.ts';

const DRAFTS = '/v1.0/me/mailFolders/drafts/messages/delta';

onBothStores('delta of messages', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
  });

  const draft = (subject: string) => client.api('/me/messages').post({ subject });
  const subjects = (rows: readonly object[]) => rows.map((row) => ('subject' in row ? row.subject : '@removed'));

  it('the first round has all items, page by page; later rounds each change since then once', async () => {
    const made = [];
    for (let n = 1; n <= 5; n++) made.push(await draft(`Draft ${n}`));
    const first = await round(bench, DRAFTS, { headers: { prefer: 'odata.maxpagesize=2, odata.track-changes' } });
    expect(first.pages).toBe(3);
    expect(subjects(first.rows)).toEqual(['Draft 1', 'Draft 2', 'Draft 3', 'Draft 4', 'Draft 5']);
    expect(first.rows[0]).toMatchObject({
      '@odata.type': '#microsoft.graph.message',
      '@odata.etag': made[0]['@odata.etag'],
      id: made[0].id,
    });
    const [one, two, three] = made;
    await client.api(`/me/messages/${two.id}`).patch({ importance: 'high' });
    await client.api(`/me/messages/${one.id}`).delete();
    await client.api(`/me/messages/${three.id}/move`).post({ destinationId: 'archive' });
    await draft('Draft 6');
    const gone = await draft('Draft 7');
    await client.api(`/me/messages/${gone.id}/permanentDelete`).post({});
    const second = await round(bench, first.link);
    expect(second.rows).toMatchObject([
      { id: two.id, importance: 'high' },
      { id: one.id, '@removed': { reason: 'deleted' } },
      { id: three.id, '@removed': { reason: 'deleted' } },
      { subject: 'Draft 6' },
    ]);
    const third = await round(bench, second.link);
    expect(third.rows).toEqual([]);
    // A link is valid as long as its records are kept: the same request has the same answer.
    expect((await round(bench, first.link)).rows).toHaveLength(4);
  });

  it('changes during a round are neither missed nor repeated', async () => {
    for (let n = 1; n <= 4; n++) await draft(`Draft ${n}`);
    const { value } = await client.api('/me/mailFolders/drafts/messages').orderby('subject').get();
    let turn = 0;
    const first = await round(bench, DRAFTS, {
      headers: { prefer: 'odata.maxpagesize=1' },
      async between() {
        turn += 1;
        if (turn === 1) await client.api(`/me/messages/${value[3].id}`).patch({ subject: 'Draft 4, again' });
        if (turn === 2) await client.api(`/me/messages/${value[0].id}`).delete();
        if (turn === 2) await draft('Draft 5');
      },
    });
    expect(subjects(first.rows)).toEqual(['Draft 1', 'Draft 2', 'Draft 3']);
    const second = await round(bench, first.link);
    expect(subjects(second.rows)).toEqual(['Draft 4, again', '@removed', 'Draft 5']);
  });

  it('a token from before a reset, before a restored snapshot, or a month ago is answered with 410 and the URL to start over', async () => {
    const initial = `${DRAFTS}?$select=subject`;
    const address = (link: string) => new URL(link).pathname + new URL(link).search;
    await draft('One');
    const beforeReset = await round(bench, initial);
    await bench.jar.reset();
    for (let n = 0; n < 5; n++) await draft('Two');
    const refused = await bench.call('GET', address(beforeReset.link));
    expect(refused).toMatchObject({ status: 410, body: { error: { code: 'SyncStateNotFound' } } });
    expect(refused.headers.get('location')).toBe(`${bench.jar.url}${initial}&$deltatoken=`);
    expect((await round(bench, String(refused.headers.get('location')))).rows).toHaveLength(5);

    await bench.jar.snapshot('before');
    await draft('Three');
    const beforeRestore = await round(bench, initial);
    await bench.jar.restore('before');
    expect(await bench.call('GET', address(beforeRestore.link))).toMatchObject({ status: 410 });
    // Another change uses the same number again.
    for (let n = 0; n < 5; n++) await draft('Four');
    expect(await bench.call('GET', address(beforeRestore.link))).toMatchObject({ status: 410 });

    const { id } = await draft('Five');
    const old = await round(bench, initial);
    await client.api(`/me/messages/${id}`).delete();
    await bench.jar.clock.advance('29d');
    expect((await round(bench, old.link)).rows).toMatchObject([{ id, '@removed': {} }]);
    const young = await round(bench, old.link);
    await bench.jar.clock.advance('2d');
    expect(await bench.call('GET', address(old.link))).toMatchObject({ status: 410 });
    expect((await round(bench, young.link)).rows).toEqual([]);
  });

  it('a message that left and came back is the same by its immutable id, and another by its regular one', async () => {
    const { id } = await draft('Boomerang');
    const immutable = { prefer: 'IdType="ImmutableId"' };
    const first = await round(bench, DRAFTS, { headers: immutable });
    const moved = await client.api(`/me/messages/${id}/move`).post({ destinationId: 'archive' });
    const back = await client.api(`/me/messages/${moved.id}/move`).post({ destinationId: 'drafts' });
    expect((await round(bench, first.link, { headers: immutable })).rows).toMatchObject([{ id: first.rows[0]?.id }]);
    expect((await round(bench, first.link)).rows).toMatchObject([{ id, '@removed': {} }, { id: back.id }]);
  });

  it('folders are reported with their new counts', async () => {
    const first = await round(bench, '/v1.0/me/mailFolders/delta?$select=displayName,totalItemCount');
    expect(first.rows.map(({ displayName }) => displayName)).toContain('Inbox');
    expect(first.rows.map(({ displayName }) => displayName)).not.toContain('Clutter');
    expect(Object.keys(first.rows[0] ?? {}).toSorted()).toEqual(['@odata.type', 'displayName', 'id', 'totalItemCount']);
    await draft('One');
    const second = await round(bench, first.link);
    expect(second.rows).toMatchObject([{ displayName: 'Drafts', totalItemCount: 1 }]);
    const hidden = await round(bench, '/v1.0/me/mailFolders/delta?includeHiddenFolders=true');
    expect(hidden.rows.map(({ displayName }) => displayName)).toContain('Clutter');
  });
});

onAnyStore('options of delta', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
  });

  it('a token carries the options of the first call, and pages are as large as each call asks for', async () => {
    for (let n = 1; n <= 3; n++) await client.api('/me/messages').post({ subject: `Draft ${n}`, importance: 'low' });
    const reply = await bench.call('GET', `${DRAFTS}?$select=subject&$top=2`);
    expect(reply.body).toMatchObject({
      '@odata.context': `${bench.jar.url}/v1.0/$metadata#Collection(message)`,
      value: [{ subject: 'Draft 1' }, { subject: 'Draft 2' }],
    });
    const next = (reply.body as Record<string, string>)['@odata.nextLink'] ?? '';
    expect(next).toMatch(/\/v1\.0\/me\/mailFolders\/drafts\/messages\/delta\?\$skiptoken=[\w-]+$/);
    const last = await bench.call('GET', next, { headers: { prefer: 'odata.maxpagesize=5' } });
    expect(last.headers.get('preference-applied')).toBe('odata.maxpagesize=5');
    const [row] = (last.body as { value: object[] }).value;
    expect(Object.keys(row ?? {}).toSorted()).toEqual(['@odata.etag', '@odata.type', 'id', 'subject']);
  });

  it('changeType selects the reported changes', async () => {
    const { id } = await client.api('/me/messages').post({ subject: 'One' });
    const links: Record<string, string> = {};
    for (const type of ['created', 'updated', 'deleted']) {
      const first = await round(bench, `${DRAFTS}?changeType=${type}`);
      expect(first.rows).toHaveLength(type === 'created' ? 1 : 0);
      links[type] = first.link;
    }
    await client.api(`/me/messages/${id}`).patch({ subject: 'One, changed' });
    const { id: second } = await client.api('/me/messages').post({ subject: 'Two' });
    const read = async (type: string) => (await round(bench, links[type] ?? '')).rows;
    expect(await read('created')).toMatchObject([{ id: second }]);
    expect(await read('updated')).toMatchObject([{ id }]);
    await client.api(`/me/messages/${id}`).delete();
    expect(await read('deleted')).toMatchObject([{ id, '@removed': {} }]);
    expect(await read('updated')).toEqual([]);
  });

  it('a filter by the time of receipt chooses new messages, and every change of older ones is reported', async () => {
    const { id } = await client.api('/me/messages').post({ subject: 'Old' });
    await bench.jar.clock.advance('1h');
    await client.api('/me/messages').post({ subject: 'New' });
    await client.api('/me/messages').post({ subject: 'Newest' });
    const since = new Date(bench.jar.clock.now().getTime() - 60_000).toISOString();
    const first = await round(bench, `${DRAFTS}?$filter=receivedDateTime ge ${since}&$orderby=receivedDateTime desc`);
    expect(first.rows.map(({ subject }) => subject).toSorted()).toEqual(['New', 'Newest']);
    await client.api(`/me/messages/${id}`).patch({ isRead: false });
    expect((await round(bench, first.link)).rows).toMatchObject([{ subject: 'Old', isRead: false }]);
  });

  const FOLDERS = '/v1.0/me/mailFolders/delta';
  describe.each([
    [`${DRAFTS}?$search="x"`, 'ErrorInvalidUrlQuery'],
    [`${DRAFTS}?$skip=1`, 'ErrorInvalidUrlQuery'],
    [`${DRAFTS}?$count=true`, 'ErrorInvalidUrlQuery'],
    [`${DRAFTS}?$filter=isRead eq true`, 'ErrorInvalidUrlQueryFilter'],
    [`${DRAFTS}?$filter=receivedDateTime lt 2026-01-01T00:00:00Z`, 'ErrorInvalidUrlQueryFilter'],
    [`${DRAFTS}?$filter=receivedDateTime ge 5`, 'ErrorInvalidUrlQueryFilter'],
    [`${DRAFTS}?$orderby=receivedDateTime`, 'ErrorInvalidUrlQuery'],
    [`${DRAFTS}?$orderby=subject desc`, 'ErrorInvalidUrlQuery'],
    [`${DRAFTS}?$select=nothing`, 'RequestBroker--ParseUri'],
    [`${DRAFTS}?changeType=moved`, 'ErrorInvalidUrlQuery'],
    [`${DRAFTS}?$deltatoken=latest`, 'ErrorInvalidUrlQuery'],
    [`${DRAFTS}?$skiptoken=AAAA`, 'ErrorInvalidUrlQuery'],
    [`${DRAFTS}?$skiptoken=a&$deltatoken=b`, 'ErrorInvalidUrlQuery'],
    [`${DRAFTS}?x=${'y'.repeat(5000)}`, 'ErrorInvalidUrlQuery'],
    ['/v1.0/me/messages/delta', 'ErrorInvalidRequest'],
    [`${FOLDERS}?$filter=displayName eq 'x'`, 'ErrorInvalidUrlQuery'],
    [`${FOLDERS}?$top=5`, 'ErrorInvalidUrlQuery'],
    [`${FOLDERS}?$expand=childFolders`, 'ErrorInvalidUrlQuery'],
    [`${FOLDERS}?changeType=created`, 'ErrorInvalidUrlQuery'],
  ])('GET %s', (address, code) => {
    it(`is refused as ${code}`, async () => {
      expect(await bench.call('GET', address.replaceAll(' ', '%20'))).toMatchObject({
        status: 400,
        body: { error: { code } },
      });
    });
  });

  it('a token is valid for one mailbox, one folder and one kind of token', async () => {
    const { link } = await round(bench, DRAFTS);
    const token = new URL(link).searchParams.get('$deltatoken');
    const others = [
      `/v1.0/me/mailFolders/inbox/messages/delta?$deltatoken=${token}`,
      `${DRAFTS}?$skiptoken=${token}`,
      `${FOLDERS}?$deltatoken=${token}`,
      `${DRAFTS}?$deltatoken=${token}&$select=subject`,
    ];
    for (const address of others) expect((await bench.call('GET', address)).status, address).toBe(400);
    const licensed = await bench.jar.token({ user: 'licensed' });
    expect((await bench.call('GET', link, { token: licensed })).status).toBe(400);
    // The folder can be named by its id or its well-known name.
    const folder = await client.api('/me/mailFolders/drafts').get();
    const named = `/beta/me/mailFolders('${folder.id}')/messages/delta?$deltatoken=${token}`;
    expect((await bench.call('GET', named)).status).toBe(200);
  });
});
