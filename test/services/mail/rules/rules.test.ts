import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const RULES = '/me/mailFolders/inbox/messageRules';

onBothStores('rules of an inbox', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
  });

  it('a rule is created, listed in the order of its sequence, read, changed and deleted by the official client', async () => {
    const { id: folder } = await client.api('/me/mailFolders').post({ displayName: 'Partners' });
    const forwardTo = [{ emailAddress: { name: 'Alex', address: 'alex@vendor.example' } }];
    const created = await client.api(RULES).post({
      displayName: 'From partner',
      sequence: 2,
      isEnabled: true,
      conditions: { senderContains: ['adele'], withinSizeRange: { minimumSize: 1 } },
      actions: { forwardTo, moveToFolder: folder, stopProcessingRules: true },
    });
    expect(created).toMatchObject({
      displayName: 'From partner',
      sequence: 2,
      isEnabled: true,
      hasError: false,
      isReadOnly: false,
      conditions: { senderContains: ['adele'], withinSizeRange: { minimumSize: 1, maximumSize: 2147483647 } },
      actions: { forwardTo, moveToFolder: folder, stopProcessingRules: true },
    });
    expect(created).not.toHaveProperty('exceptions');
    expect(created['@odata.context']).toMatch(/\/mailFolders\('inbox'\)\/messageRules\/\$entity$/);
    const first = await client.api(RULES).post({ displayName: 'First', sequence: 1, actions: { delete: true } });
    const last = await client.api(RULES).post({ displayName: 'Last', actions: { markAsRead: true } });
    expect(last.sequence).toBe(3);
    const names = (await client.api(RULES).get()).value.map(({ displayName }: { displayName: string }) => displayName);
    expect(names).toEqual(['First', 'From partner', 'Last']);
    const changed = await client.api(`${RULES}/${created.id}`).patch({
      displayName: 'Important from partner',
      exceptions: { isAutomaticReply: true },
      actions: { markImportance: 'High' },
    });
    expect(changed).toMatchObject({
      conditions: { senderContains: ['adele'] },
      exceptions: { isAutomaticReply: true },
      actions: { markImportance: 'high' },
    });
    expect(changed.actions).toEqual({ markImportance: 'high' });
    await client.api(`${RULES}/${created.id}`).patch({ conditions: null });
    expect(await client.api(`${RULES}/${created.id}`).get()).not.toHaveProperty('conditions');
    await client.api(`${RULES}/${first.id}`).delete();
    await expect(client.api(`${RULES}/${first.id}`).get()).rejects.toMatchObject({ code: 'ErrorItemNotFound' });
  });

  it.each(['forwardTo', 'redirectTo', 'forwardAsAttachmentTo'])(
    '%s in a circle ends where it began',
    async (action) => {
      const to = (...names: readonly string[]) =>
        names.map((name) => ({ emailAddress: { address: `${name}@vendor.example` } }));
      const lin = await graphClient(bench, { user: 'licensed' });
      const rule = (addresses: object) => ({ displayName: 'Pass on', actions: { [action]: addresses } });
      await client.api(RULES).post(rule(to('licensed', 'admin', 'admin+1', 'admin+2')));
      await lin.api(RULES).post(rule(to('admin', 'licensed+1')));
      await bench.jar.mailbox('admin').send({ from: 'carol@fabrikam.example', subject: 'Round', text: 'At noon?' });
      await bench.jar.settled();
      // The original, the copy from the mailbox itself, and the copy from the colleague.
      const inbox = async (user: string) => (await bench.jar.mailbox(user).messages({ folder: 'inbox' })).length;
      expect(await inbox('admin')).toBeLessThanOrEqual(3);
      expect(await inbox('licensed')).toBeLessThanOrEqual(2);
      expect(await inbox('licensed')).toBeGreaterThan(0);
    },
  );

  it('a rule whose folder was deleted permanently is shown with an error', async () => {
    const { id: folder } = await client.api('/me/mailFolders').post({ displayName: 'Gone soon' });
    const { id } = await client.api(RULES).post({ displayName: 'Move', actions: { moveToFolder: folder } });
    await client.api(`/me/mailFolders/${folder}/permanentDelete`).post({});
    expect(await client.api(`${RULES}/${id}`).get()).toMatchObject({
      hasError: true,
      actions: { moveToFolder: folder },
    });
    expect((await client.api(RULES).get()).value).toMatchObject([{ hasError: true }]);
  });
});

onAnyStore('what is refused of rules', (bench) => {
  beforeEach(() => bench.jar.reset());
  const ask = (method: string, path: string, body?: unknown) =>
    bench.call(method, `/v1.0/me/mailFolders/${path}`, body === undefined ? {} : { body });
  const good = { displayName: 'Good', actions: { markAsRead: true } };

  it.each([
    ['without a name', { actions: good.actions }, 'RequestBodyRead'],
    ['with an empty name', { ...good, displayName: ' ' }, 'RequestBodyRead'],
    ['without actions', { displayName: 'A' }, 'RequestBodyRead'],
    ['with no action', { ...good, actions: {} }, 'RequestBodyRead'],
    ['with actions that are all false', { ...good, actions: { delete: false } }, 'RequestBodyRead'],
    ['with an action that there is not', { ...good, actions: { explode: true } }, 'RequestBodyRead'],
    ['with a condition that there is not', { ...good, conditions: { smellsOf: ['x'] } }, 'RequestBodyRead'],
    ['with a text that is empty', { ...good, conditions: { subjectContains: [''] } }, 'RequestBodyRead'],
    ['with a text that is none', { ...good, conditions: { subjectContains: [5] } }, 'RequestBodyRead'],
    ['with a list that is none', { ...good, conditions: { subjectContains: 'x' } }, 'RequestBodyRead'],
    ['with 101 texts', { ...good, conditions: { bodyContains: Array(101).fill('x') } }, 'RequestBodyRead'],
    ['with an importance that there is not', { ...good, conditions: { importance: 'medium' } }, 'RequestBodyRead'],
    [
      'with sizes in the wrong order',
      { ...good, conditions: { withinSizeRange: { minimumSize: 2, maximumSize: 1 } } },
      'RequestBodyRead',
    ],
    ['with a negative size', { ...good, conditions: { withinSizeRange: { minimumSize: -1 } } }, 'RequestBodyRead'],
    [
      'with a recipient without an address',
      { ...good, actions: { forwardTo: [{ emailAddress: { name: 'A' } }] } },
      'RequestBodyRead',
    ],
    [
      'with a line break in an address',
      { ...good, actions: { redirectTo: [{ emailAddress: { address: 'a@b\r\nBcc: c@d' } }] } },
      'RequestBodyRead',
    ],
    ['with a sequence that is none', { ...good, sequence: 1.5 }, 'RequestBodyRead'],
    ['with a folder that is no id', { ...good, actions: { moveToFolder: 'somewhere' } }, 'ErrorInvalidIdMalformed'],
  ])('a rule %s is refused, and nothing is kept', async (_, body, code) => {
    expect(await ask('POST', 'inbox/messageRules', body)).toMatchObject({ status: 400, body: { error: { code } } });
    expect((await ask('GET', 'inbox/messageRules')).body.value).toEqual([]);
  });

  it('rules exist only for the inbox, by any of its names', async () => {
    expect((await ask('POST', 'drafts/messageRules', good)).body.error.code).toBe('ErrorInvalidRequest');
    expect((await ask('GET', 'drafts/messageRules')).status).toBe(400);
    const { id } = (await ask('GET', 'inbox')).body;
    expect((await ask('POST', `${id}/messageRules`, good)).status).toBe(201);
  });

  it('a read-only rule is neither changed nor deleted, and a rule cannot become read-only', async () => {
    const { id } = (await ask('POST', 'inbox/messageRules', { ...good, isReadOnly: true })).body;
    const refused = { status: 400, body: { error: { code: 'ErrorRuleIsReadOnly' } } };
    expect(await ask('PATCH', `inbox/messageRules/${id}`, { displayName: 'B' })).toMatchObject(refused);
    expect(await ask('DELETE', `inbox/messageRules/${id}`)).toMatchObject(refused);
    const other = (await ask('POST', 'inbox/messageRules', good)).body;
    const reply = await ask('PATCH', `inbox/messageRules/${other.id}`, { ...other, isReadOnly: true });
    expect(reply.body.error.code).toBe('ErrorInvalidPropertySet');
    expect((await ask('PATCH', `inbox/messageRules/${other.id}`, { ...other, sequence: 9 })).body.sequence).toBe(9);
  });

  it('all rules together look for 5000 texts at most', async () => {
    const conditions = { bodyContains: Array.from({ length: 100 }, (_, at) => `text ${at}`) };
    for (const name of ['subjectContains', 'senderContains', 'headerContains', 'recipientContains'])
      Object.assign(conditions, { [name]: conditions.bodyContains });
    for (let rules = 0; rules < 10; rules++)
      expect((await ask('POST', 'inbox/messageRules', { ...good, conditions })).status).toBe(201);
    expect((await ask('POST', 'inbox/messageRules', { ...good, conditions })).body.error.code).toBe(
      'ErrorRulesOverQuota',
    );
    expect((await ask('POST', 'inbox/messageRules', good)).status).toBe(201);
  });

  it('reading needs MailboxSettings.Read, writing MailboxSettings.ReadWrite', async () => {
    const path = '/v1.0/me/mailFolders/inbox/messageRules';
    const token = await bench.jar.token({ scope: 'MailboxSettings.Read Mail.ReadWrite' });
    expect((await bench.call('GET', path, { token })).status).toBe(200);
    expect((await bench.call('POST', path, { token, body: good })).status).toBe(403);
    const mailOnly = await bench.jar.token({ scope: 'Mail.ReadWrite' });
    expect((await bench.call('GET', path, { token: mailOnly })).status).toBe(403);
  });
});
