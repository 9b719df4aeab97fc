import '@pnp/graph/batching.js';
import '@pnp/graph/subscriptions/index.js';
import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { pnpClient } from '../pnp-client.ts';
import { arrived, inMinutes, told } from './support.ts';

onAnyStore('@pnp/graph runs unchanged', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('on subscriptions, batches and delta', async () => {
    const graph = await pnpClient(bench);
    const inbox = bench.jar.inbox('changes');
    const expiry = inMinutes(bench, 100);
    const { data } = await graph.subscriptions.add('created', inbox.httpsUrl, 'me/messages', expiry, {
      clientState: 'x',
    });
    expect(data).toMatchObject({ changeType: 'created', clientState: 'x' });
    await graph.subscriptions.getById(data.id).update({ expirationDateTime: inMinutes(bench, 200) });
    expect(await graph.subscriptions()).toMatchObject([{ id: data.id }]);

    const [batched, execute] = graph.batched();
    const subjects = ['One', 'Two', 'Three'];
    const made = subjects.map((subject) => batched.me.messages.add({ subject }));
    await execute();
    expect((await Promise.all(made)).map(({ subject }) => subject)).toEqual(subjects);
    await arrived(bench);
    expect((await told(inbox)).map(({ changeType }) => changeType)).toEqual(['created', 'created', 'created']);

    const { values } = await graph.me.mailFolders.getById('drafts').messages.delta()();
    expect(values.map(({ subject }: { subject: string }) => subject).toSorted()).toEqual(subjects.toSorted());
    await graph.subscriptions.getById(data.id).delete();
    expect(await graph.subscriptions()).toEqual([]);
  });
});
