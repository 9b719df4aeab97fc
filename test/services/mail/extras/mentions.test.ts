import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const SAMANTHA = { name: 'Samantha Booth', address: 'samanthab@vendor.example' };
const ADMIN = { name: 'Admin', address: 'admin@vendor.example' };

onBothStores('mentions', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench, { version: 'beta' });
  });

  it('mentions can be sent with a draft, and are shown only by $expand, newest first', async () => {
    const draft = await client.api('/me/messages').post({
      subject: 'Party planning',
      mentions: [{ mentioned: SAMANTHA }, { mentioned: ADMIN, mentionText: 'x' }],
    });
    expect(draft).not.toHaveProperty('mentions');
    expect(draft.mentionsPreview).toEqual({ isMentioned: true });
    const { mentions } = await client.api(`/me/messages/${draft.id}`).expand('mentions').get();
    expect(mentions).toHaveLength(2);
    expect(mentions[0]).toEqual({
      id: expect.any(String),
      mentioned: SAMANTHA,
      createdBy: expect.objectContaining({ address: 'admin@vendor.example' }),
      createdDateTime: expect.stringMatching(/^\d{4}-.*Z$/),
      serverCreatedDateTime: null,
      mentionText: null,
      clientReference: null,
      deepLink: null,
      application: null,
    });
    const [first, second] = mentions;
    const list = await client.api(`/me/messages/${draft.id}/mentions`).get();
    expect(list.value).toEqual(mentions);
    const one = await client.api(`/me/messages/${draft.id}/mentions/${second.id}`).get();
    expect(one).toMatchObject(second);
    await client.api(`/me/messages/${draft.id}/mentions/${second.id}`).delete();
    const after = await client.api(`/me/messages/${draft.id}`).expand('mentions').get();
    expect(after.mentions).toEqual([first]);
    expect(after.mentionsPreview).toEqual({ isMentioned: false });
    await expect(client.api(`/me/messages/${draft.id}/mentions/${second.id}`).get()).rejects.toMatchObject({
      statusCode: 404,
    });
  });

  it('the filter finds the messages in which the owner of the mailbox is mentioned', async () => {
    await client.api('/me/messages').post({ subject: 'nobody' });
    await client.api('/me/messages').post({ subject: 'another', mentions: [{ mentioned: SAMANTHA }] });
    await client.api('/me/messages').post({ subject: 'owner', mentions: [{ mentioned: ADMIN }] });
    const found = async (is: boolean): Promise<string[]> =>
      (await client.api('/me/messages').filter(`mentionsPreview/isMentioned eq ${is}`).get()).value.map(
        (each: { subject: string }) => each.subject,
      );
    expect(await found(true)).toEqual(['owner']);
    expect((await found(false)).sort()).toEqual(['another', 'nobody']);
  });

  it('version 1.0 has no mentions to expand', async () => {
    const stable = await graphClient(bench);
    const draft = await stable.api('/me/messages').post({ subject: 'x' });
    await expect(stable.api(`/me/messages/${draft.id}`).expand('mentions').get()).rejects.toMatchObject({
      statusCode: 400,
    });
    await expect(stable.api(`/me/messages/${draft.id}/mentions`).get()).rejects.toMatchObject({ statusCode: 400 });
  });
});
