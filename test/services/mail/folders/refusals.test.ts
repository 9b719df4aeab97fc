import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';

onAnyStore('what is refused of folders', (bench) => {
  beforeEach(() => bench.jar.reset());

  const ask = (method: string, path: string, body?: unknown, version = 'v1.0') =>
    bench.call(method, `/${version}/me/${path}`, body === undefined ? {} : { body });
  const create = async (displayName: string, parent = 'msgfolderroot') =>
    (await ask('POST', `mailFolders/${parent}/childFolders`, { displayName })).body.id as string;

  const search = {
    '@odata.type': '#microsoft.graph.mailSearchFolder',
    displayName: 'Search',
    sourceFolderIds: ['inbox'],
    filterQuery: 'isRead eq false',
  };

  describe('a new folder', () => {
    it.each([
      ['without a name', {}, 400, 'RequestBodyRead'],
      ['with an empty name', { displayName: '  ' }, 400, 'RequestBodyRead'],
      ['with a name of 256 characters', { displayName: 'x'.repeat(256) }, 400, 'RequestBodyRead'],
      ['with a line break in its name', { displayName: 'a\nb' }, 400, 'RequestBodyRead'],
      ['with a name that is no text', { displayName: 7 }, 400, 'RequestBodyRead'],
      ['with a property that folders do not have', { displayName: 'A', color: 'red' }, 400, 'RequestBodyRead'],
      [
        'with a query, without the type of search folders',
        { displayName: 'A', filterQuery: 'x' },
        400,
        'RequestBodyRead',
      ],
      ['whose name is taken, in another case', { displayName: 'INBOX' }, 409, 'ErrorFolderExists'],
      ['with a query that is no query', { ...search, filterQuery: 'subject eq' }, 400, 'ErrorInvalidUrlQueryFilter'],
      [
        'with a query of what messages do not have',
        { ...search, filterQuery: "color eq 'red'" },
        400,
        'ErrorInvalidUrlQueryFilter',
      ],
      [
        'with a query that no index can answer',
        { ...search, filterQuery: "contains(body/content,'x')" },
        400,
        'InefficientFilter',
      ],
      ['with a query and no sources', { ...search, sourceFolderIds: [] }, 400, 'RequestBodyRead'],
      ['with a source that is no id', { ...search, sourceFolderIds: ['nowhere'] }, 400, 'ErrorInvalidIdMalformed'],
    ])('%s is refused, and changes nothing', async (_, body, status, code) => {
      const before = (await ask('GET', 'mailFolders?$top=100&includeHiddenFolders=true')).body.value;
      expect(await ask('POST', 'mailFolders', body)).toMatchObject({ status, body: { error: { code } } });
      expect((await ask('GET', 'mailFolders?$top=100&includeHiddenFolders=true')).body.value).toEqual(before);
    });

    it('in a folder that is not there, or of another mailbox, is refused', async () => {
      const gone = await create('Gone');
      await ask('POST', `mailFolders/${gone}/permanentDelete`);
      const post = (parent: string) => ask('POST', `mailFolders/${parent}/childFolders`, { displayName: 'A' });
      expect(await post(gone)).toMatchObject({ status: 404, body: { error: { code: 'ErrorParentFolderNotFound' } } });
      expect(await post('garbage')).toMatchObject({
        status: 400,
        body: { error: { code: 'ErrorInvalidIdMalformed' } },
      });
      const token = await bench.jar.token({ user: 'licensed' });
      const theirs = (await bench.call('GET', '/v1.0/me/mailFolders/inbox', { token })).body.id;
      expect(await post(theirs)).toMatchObject({ status: 404, body: { error: { code: 'ErrorParentFolderNotFound' } } });
    });

    it('50 levels below the root is the deepest, also by a move', async () => {
      let parent = 'msgfolderroot';
      for (let level = 1; level <= 50; level++) parent = await create('Deep', parent);
      const refused = { status: 400, body: { error: { code: 'ErrorInvalidRequest' } } };
      expect(await ask('POST', `mailFolders/${parent}/childFolders`, { displayName: 'A' })).toMatchObject(refused);
      const other = await create('Other');
      expect(await ask('POST', `mailFolders/${other}/move`, { destinationId: parent })).toMatchObject(refused);
      expect(await ask('POST', `mailFolders/${other}/copy`, { destinationId: parent })).toMatchObject(refused);
    });

    it('cannot exceed 2000 in a mailbox, also when a tree is copied', async () => {
      let tree = await create('Tree 0');
      for (let size = 1; size < 1000; size = 2 * size + 1) {
        const next = await create(`Tree ${size}`);
        const copy = (await ask('POST', `mailFolders/${tree}/copy`, { destinationId: next })).body.id;
        await ask('PATCH', `mailFolders/${copy}`, { displayName: 'Copy' });
        await ask('POST', `mailFolders/${tree}/move`, { destinationId: next });
        tree = next;
      }
      const refused = { status: 507, body: { error: { code: 'ErrorQuotaExceeded' } } };
      expect(await ask('POST', `mailFolders/${tree}/copy`, { destinationId: 'archive' })).toMatchObject(refused);
      expect((await ask('GET', 'mailFolders/archive')).body.childFolderCount).toBe(0);
      expect((await ask('POST', `mailFolders/${tree}/permanentDelete`)).status).toBe(204);
      await create('Room again');
    });

    it('in a search folder is refused', async () => {
      const { id } = (await ask('POST', 'mailFolders', search)).body;
      expect((await ask('POST', `mailFolders/${id}/childFolders`, { displayName: 'A' })).status).toBe(400);
      expect((await ask('POST', `mailFolders/${id}/messages`, { subject: 'A' })).status).toBe(400);
      expect((await ask('POST', 'mailFolders', { ...search, displayName: 'B', sourceFolderIds: [id] })).status).toBe(
        400,
      );
    });
  });

  describe('a folder that every mailbox has', () => {
    it.each([
      ['PATCH', 'mailFolders/inbox', { displayName: 'Post' }, 'ErrorAccessDenied'],
      ['DELETE', 'mailFolders/inbox', undefined, 'ErrorDeleteDistinguishedFolder'],
      ['DELETE', 'mailFolders/msgfolderroot', undefined, 'ErrorDeleteDistinguishedFolder'],
      ['POST', 'mailFolders/drafts/permanentDelete', {}, 'ErrorDeleteDistinguishedFolder'],
      ['POST', 'mailFolders/drafts/move', { destinationId: 'archive' }, 'ErrorMoveDistinguishedFolder'],
      ['POST', 'mailFolders/msgfolderroot/copy', { destinationId: 'archive' }, 'ErrorMoveCopyFailed'],
    ])('%s %s is refused', async (method, path, body, code) => {
      expect(await ask(method, path, body)).toMatchObject({ status: 400, body: { error: { code } } });
    });
  });

  describe('a change of a folder', () => {
    it.each([
      [{ isHidden: true }, 400, 'ErrorInvalidPropertySet'],
      [{ totalItemCount: 7 }, 400, 'ErrorInvalidPropertySet'],
      [{ parentFolderId: 'x' }, 400, 'ErrorInvalidPropertySet'],
      [{ filterQuery: 'isRead eq true' }, 400, 'ErrorInvalidPropertySet'],
      [{ displayName: 'Taken' }, 409, 'ErrorFolderExists'],
      [{ displayName: null }, 400, 'RequestBodyRead'],
      ['text', 400, 'BadRequest'],
    ])('%j is refused', async (body, status, code) => {
      const id = await create('Mine');
      await create('taken');
      expect(await ask('PATCH', `mailFolders/${id}`, body)).toMatchObject({ status, body: { error: { code } } });
      expect((await ask('GET', `mailFolders/${id}`)).body.displayName).toBe('Mine');
    });

    it('may send back unchanged properties, and change the case of the name', async () => {
      const id = await create('Mine');
      const shown = (await ask('GET', `mailFolders/${id}`, undefined, 'beta')).body;
      const reply = await ask('PATCH', `mailFolders/${id}`, { ...shown, displayName: 'MINE' }, 'beta');
      expect(reply).toMatchObject({ status: 200, body: { id, displayName: 'MINE', wellKnownName: null } });
    });
  });

  it('a folder is not moved into itself, next to a folder of its name, or without a destination', async () => {
    const [a, b] = [await create('Same'), await create('Same', 'archive')];
    const refusal = async (path: string, body: unknown) =>
      (await ask('POST', `mailFolders/${path}`, body)).body.error.code;
    expect(await refusal(`${a}/move`, { destinationId: a })).toBe('ErrorMoveCopyFailed');
    expect(await refusal(`${a}/move`, { destinationId: 'archive' })).toBe('ErrorFolderExists');
    expect(await refusal(`${a}/copy`, { destinationId: 'archive' })).toBe('ErrorFolderExists');
    expect(await refusal(`${b}/move`, {})).toBe('ErrorInvalidParameter');
    expect(await refusal(`${b}/move`, { destinationId: 'nowhere' })).toBe('ErrorInvalidIdMalformed');
  });

  it('writing needs Mail.ReadWrite, reading a basic permission', async () => {
    const token = await bench.jar.token({ scope: 'Mail.ReadBasic' });
    expect((await bench.call('GET', '/v1.0/me/mailFolders', { token })).status).toBe(200);
    const reply = await bench.call('POST', '/v1.0/me/mailFolders', { token, body: { displayName: 'A' } });
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'ErrorAccessDenied' } } });
  });
});
