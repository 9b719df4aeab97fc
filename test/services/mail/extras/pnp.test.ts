import '@pnp/graph/attachments/index.js';
import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type PnpGraph, pnpClient } from '../pnp-client.ts';

onAnyStore('@pnp/graph runs unchanged', (bench) => {
  let graph: PnpGraph;

  beforeEach(async () => {
    await bench.jar.reset();
    graph = await pnpClient(bench);
  });

  it('on attachments of messages', async () => {
    const { id } = await graph.me.messages.add({ subject: 'With a file' });
    const { attachments } = graph.me.messages.getById(id);
    const added = await attachments.addFile({ name: 'a.txt' }, 'YQ==');
    expect(added).toMatchObject({ name: 'a.txt', size: 1 });
    expect(await attachments()).toMatchObject([{ id: added.id }]);
    expect(await attachments.getById(added.id)()).toMatchObject({ contentBytes: 'YQ==' });
    await attachments.getById(added.id).delete();
    expect(await attachments()).toEqual([]);
  });
});
