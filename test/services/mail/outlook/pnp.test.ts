import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type PnpGraph, pnpClient } from '../pnp-client.ts';

onAnyStore('@pnp/graph runs unchanged', (bench) => {
  let graph: PnpGraph;

  beforeEach(async () => {
    await bench.jar.reset();
    graph = await pnpClient(bench);
  });

  const idOf = ({ id }: { id?: string }): string => id ?? '';

  it('on folders', async () => {
    const folders = graph.me.mailFolders;
    const work = await folders.add({ displayName: 'Work' });
    const inner = await folders.getById(idOf(work)).childFolders.add({ displayName: 'Inner' });
    await folders.getById(idOf(work)).update({ displayName: 'Office' });
    expect(await folders.getById(idOf(work))()).toMatchObject({ displayName: 'Office', childFolderCount: 1 });
    const moved = await folders.getById(idOf(inner)).move('archive');
    expect(moved).toMatchObject({ id: inner.id });
    expect(await folders.getById(idOf(work)).copy('archive')).toMatchObject({ displayName: 'Office' });
    expect(await folders.getById('archive').childFolders()).toHaveLength(2);
    await folders.getById(idOf(work)).delete();
    expect(await folders.getById('deleteditems').childFolders()).toMatchObject([{ id: work.id }]);
    expect((await folders.includeHidden()).length).toBeGreaterThan((await folders.top(100)()).length);
  });

  it('on rules, settings, categories, overrides and ids', async () => {
    const rules = graph.me.mailFolders.getById('inbox').messageRules;
    const rule = await rules.add({ displayName: 'Read', sequence: 1, actions: { markAsRead: true } });
    await rules.getById(idOf(rule)).update({ isEnabled: false });
    expect(await rules()).toMatchObject([{ displayName: 'Read', isEnabled: false }]);
    await rules.getById(idOf(rule)).delete();
    await graph.me.mailboxSettings.update({ timeZone: 'Pacific Standard Time' });
    expect(await graph.me.mailboxSettings.timeZone()).toBe('Pacific Standard Time');
    expect(await graph.me.mailboxSettings.language()).toMatchObject({ locale: 'en-US' });
    const categories = graph.me.outlook.masterCategories;
    const category = await categories.add({ displayName: 'Mine', color: 'preset2' });
    await categories.getById(idOf(category)).update({ color: 'preset5' });
    expect(await categories.getById(idOf(category))()).toMatchObject({ displayName: 'Mine', color: 'preset5' });
    await categories.getById(idOf(category)).delete();
    const senderEmailAddress = { name: 'S', address: 's@t.example' };
    const override = await graph.me.focusedInboxOverrides.add({ classifyAs: 'other', senderEmailAddress });
    expect(await graph.me.focusedInboxOverrides()).toMatchObject([{ id: override.id, classifyAs: 'other' }]);
    const message = await graph.me.messages.add({ subject: 'Here' });
    const translated = await graph.me.translateExchangeIds({
      inputIds: [idOf(message)],
      sourceIdType: 'restId',
      targetIdType: 'restImmutableEntryId',
    });
    expect(translated).toMatchObject([{ sourceId: message.id, targetId: expect.stringMatching(/^AAkA/) }]);
    expect(await graph.me()).toMatchObject({ displayName: 'Ada Admin' });
    expect(await graph.users.getById('licensed@vendor.example')()).toMatchObject({ displayName: 'Lin Licensed' });
  });
});
