import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../support/jars.ts';
import { graphClient } from './graph-client.ts';

onBothStores('messages that leave, and mail that cannot arrive', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('a message that was deleted twice can be recovered for two weeks, and is gone after that', async () => {
    const client = await graphClient(bench);
    const find = async (folder: string) => (await client.api(`/me/mailFolders/${folder}/messages`).get()).value;
    const { id } = await client.api('/me/messages').post({ subject: 'Twice' });
    await client.api(`/me/messages/${id}`).delete();
    const [deleted] = await find('deleteditems');
    await client.api(`/me/messages/${deleted.id}`).delete();
    expect(await find('recoverableitemsdeletions')).toMatchObject([{ subject: 'Twice' }]);
    await bench.jar.clock.advance('13d');
    expect(await find('recoverableitemsdeletions')).toHaveLength(1);
    await bench.jar.clock.advance('2d');
    expect(await find('recoverableitemsdeletions')).toEqual([]);
    expect(await client.api('/me/mailFolders/recoverableitemsdeletions').get()).toMatchObject({ totalItemCount: 0 });
  });

  it('a name of the own domain that does not exist is reported to the sender', async () => {
    const client = await graphClient(bench);
    const toRecipients = [{ emailAddress: { address: 'nobody@vendor.example' } }];
    await client.api('/me/sendMail').post({ message: { subject: 'Lost', toRecipients } });
    await bench.jar.settled();
    const [report] = (await client.api('/me/mailFolders/inbox/messages').get()).value;
    expect(report).toMatchObject({ subject: 'Undeliverable: Lost' });
  });

  it('a list of one type leaves out other messages', async () => {
    const client = await graphClient(bench);
    await client.api('/me/messages').post({ subject: 'Plain' });
    expect((await client.api('/me/messages/microsoft.graph.eventMessage').get()).value).toEqual([]);
    expect((await client.api('/me/messages/microsoft.graph.message').get()).value).toHaveLength(1);
  });
});
