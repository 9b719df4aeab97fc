import { describe, expect, it } from 'vitest';
import { PIECE_BYTES, type StoredFile } from '../../../../src/services/datashare/storage/index.ts';
import { stopAzuriteAfterwards } from '../../../support/use-azurite.ts';
import { type Account, backends, listed, namesOf, newContainer, readWhole } from './support.ts';

/** The contract of every kind of storage account. */

stopAzuriteAfterwards();

const DRAFT = '0123456789abcdef-0123456789abcdef';
const NAMES = ['a', 'a-b', 'a b/c', 'a b/d/e', 'a.b', 'a0', 'b/\u00e4\u{1F600}', 'b/50%25', "b/it's+1 & <2>?#", 'z'];

async function statOf(account: Account, container: string, name: string): Promise<StoredFile> {
  const found = await account.files.stat(container, name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

for (const backend of backends) {
  describe(`${backend.name}: files`, () => {
    it('are listed below a folder, with names of any kind', async (context) => {
      const account = await backend.open(context);
      const box = newContainer();
      for (const name of NAMES) await account.fill(box, name, name);
      expect(namesOf(await listed(account.files, box)).toSorted()).toEqual(NAMES.toSorted());
      expect(namesOf(await listed(account.files, box, 'a b')).toSorted()).toEqual(['a b/c', 'a b/d/e']);
      expect(namesOf(await listed(account.files, box, 'a b/d'))).toEqual(['a b/d/e']);
      expect(await listed(account.files, box, 'a')).toEqual([]);
      expect(await listed(account.files, box, 'nowhere/at all')).toEqual([]);
      for (const file of await listed(account.files, box)) {
        expect(await account.files.stat(box, file.name)).toEqual(file);
        expect(file.size).toBe(Buffer.byteLength(file.name));
        expect(await readWhole(account.files, box, file)).toBe(Buffer.from(file.name).toString('latin1'));
      }
    });

    it('are listed in pages that a cursor goes on behind, while files come and go', async (context) => {
      const account = await backend.open(context);
      const box = newContainer();
      const names = Array.from({ length: 603 }, (_, i) => `f${i % 7}/${String(i).padStart(4, '0')}`).toSorted();
      for (let first = 0; first < names.length; first += 50) {
        await Promise.all(names.slice(first, first + 50).map((name) => account.fill(box, name, '1')));
      }
      const seen: string[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        for await (const page of account.files.list(box, '', cursor)) {
          seen.push(...namesOf(page.files));
          cursor = page.next;
          break;
        }
        // The file named by the cursor is removed, which must not matter.
        await account.files.remove(box, seen.at(-1) ?? '');
        pages += 1;
      } while (cursor !== undefined);
      expect(seen).toEqual(names);
      expect(pages).toBeGreaterThan(1);
    });

    it('are missing without a container, which a write creates', async (context) => {
      const account = await backend.open(context);
      const box = newContainer();
      await expect(listed(account.files, box)).rejects.toMatchObject({ code: 'ContainerNotFound', isFinal: true });
      expect(await account.files.stat(box, 'a')).toBeUndefined();
      await account.files.remove(box, 'a');
      await account.files.put(box, 'x/a', Buffer.from('new'), DRAFT);
      expect(await account.content(box, 'x/a')).toBe('new');
      const other = newContainer();
      const draft = await account.files.draft(other, 'a', DRAFT);
      await draft.write(0, Buffer.from('new'));
      await draft.commit(3);
      expect(await account.content(other, 'a')).toBe('new');
    });

    it('have a version that every change of the content changes', async (context) => {
      const account = await backend.open(context);
      const box = newContainer();
      const versions = new Set<string>();
      for (const content of ['one', 'two', 'two', 'three', '']) {
        await account.fill(box, 'a', content);
        const file = await statOf(account, box, 'a');
        // Reading waits until a further change would get another time stamp.
        expect(await readWhole(account.files, box, file)).toBe(content);
        expect(await statOf(account, box, 'a')).toEqual(file);
        versions.add(file.version);
      }
      expect(versions.size).toBe(5);
    });

    it('cannot be read in another version than the requested one', async (context) => {
      const account = await backend.open(context);
      const box = newContainer();
      await account.fill(box, 'a', 'first');
      const first = await statOf(account, box, 'a');
      const reader = await account.files.open(box, first);
      const bytes = Buffer.alloc(2);
      await reader.read(1, bytes);
      expect(String(bytes)).toBe('ir');
      await account.fill(box, 'a', 'other');
      await expect(reader.read(0, bytes)).rejects.toMatchObject({ code: 'FileChanged', isFinal: false });
      await reader.close();
      await expect(readWhole(account.files, box, first)).rejects.toMatchObject({ code: 'FileChanged' });
      await account.files.remove(box, 'a');
      await expect(readWhole(account.files, box, first)).rejects.toMatchObject({ code: 'FileChanged' });
      expect(await account.files.stat(box, 'a')).toBeUndefined();
    });

    it('are replaced as a whole', async (context) => {
      const account = await backend.open(context);
      const box = newContainer();
      await account.fill(box, 'x/a', 'a long content');
      await account.files.put(box, 'x/a', Buffer.from('short'), DRAFT);
      expect(await account.content(box, 'x/a')).toBe('short');
      await account.files.put(box, 'x/a', Buffer.alloc(0), DRAFT);
      expect(await account.content(box, 'x/a')).toBe('');
      expect(namesOf(await listed(account.files, box))).toEqual(['x/a']);
    });

    it('are removed, and no other with them', async (context) => {
      const account = await backend.open(context);
      const box = newContainer();
      for (const name of ['x/y/a', 'x/b', 'c']) await account.fill(box, name, name);
      await account.files.remove(box, 'x/y/a');
      await account.files.remove(box, 'x/y/a');
      await account.files.remove(box, 'x');
      expect(namesOf(await listed(account.files, box)).toSorted()).toEqual(['c', 'x/b']);
      await account.files.remove(box, 'x/b');
      await account.files.remove(box, 'c');
      expect(await listed(account.files, box)).toEqual([]);
    });
  });

  describe(`${backend.name}: a draft`, () => {
    const [piece, rest] = [Buffer.alloc(PIECE_BYTES, 'p'), Buffer.from('rest')];

    it('cannot be seen before it is committed', async (context) => {
      const account = await backend.open(context);
      const box = newContainer();
      await account.ensureContainer(box);
      const draft = await account.files.draft(box, 'x/a', DRAFT);
      expect(draft.safe()).toBe(0);
      await draft.write(0, piece);
      await draft.sync();
      expect(await listed(account.files, box)).toEqual([]);
      expect(await account.files.stat(box, 'x/a')).toBeUndefined();
      await draft.write(PIECE_BYTES, rest);
      await draft.commit(PIECE_BYTES + rest.length);
      expect(await account.content(box, 'x/a')).toBe(`${piece}rest`);
      expect(namesOf(await listed(account.files, box))).toEqual(['x/a']);
    });

    it('leaves the old content unchanged until then, and can be aborted', async (context) => {
      const account = await backend.open(context);
      const box = newContainer();
      await account.fill(box, 'a', 'old');
      const draft = await account.files.draft(box, 'a', DRAFT);
      await draft.write(0, piece);
      expect(await account.content(box, 'a')).toBe('old');
      await draft.abort();
      expect(await account.content(box, 'a')).toBe('old');
      expect(namesOf(await listed(account.files, box))).toEqual(['a']);
    });

    it('is found again by its id, with what was written, and by no other', async (context) => {
      const account = await backend.open(context);
      const box = newContainer();
      const draft = await account.files.draft(box, 'a', DRAFT);
      await draft.write(0, piece);
      await draft.write(PIECE_BYTES, piece);
      await draft.sync();
      await draft.close();
      const other = await account.files.draft(box, 'a', DRAFT.replace('f', '0'));
      expect(other.safe()).toBe(0);
      await other.close();
      const again = await account.files.draft(box, 'a', DRAFT);
      expect(again.safe()).toBe(2 * PIECE_BYTES);
      await again.write(PIECE_BYTES, rest);
      await again.commit(PIECE_BYTES + rest.length);
      expect(await account.content(box, 'a')).toBe(`${piece}rest`);
    });
  });

  describe(`${backend.name}: a name`, () => {
    it.each([
      '..',
      '../other',
      'a/../../../etc/passwd',
      'a/./b',
      '.',
      'a\\..\\b',
      'a\0b',
      'half \uD800 a pair',
      'x'.repeat(1025),
    ])('cannot be %j', async (name) => {
      // No server is needed, because the request is never sent.
      const account = await backend.open({ skip: (reason) => expect.unreachable(String(reason)) });
      const box = newContainer();
      const refused = { code: 'FileNameInvalid', isFinal: true };
      await expect(account.files.stat(box, name)).rejects.toMatchObject(refused);
      await expect(account.files.put(box, name, Buffer.from('x'), DRAFT)).rejects.toMatchObject(refused);
      await expect(account.files.draft(box, name, DRAFT)).rejects.toMatchObject(refused);
      await expect(account.files.remove(box, name)).rejects.toMatchObject(refused);
      const file = { name, size: 1, version: '1' };
      await expect(account.files.open(box, file)).rejects.toMatchObject(refused);
      await expect(listed(account.files, box, name)).rejects.toMatchObject(refused);
    });

    it('cannot be empty', async () => {
      const account = await backend.open({ skip: (reason) => expect.unreachable(String(reason)) });
      await expect(account.files.stat(newContainer(), '')).rejects.toMatchObject({ code: 'FileNameInvalid' });
    });

    it.each(['..', '.cloudjar-drafts', 'a/b', '', 'UPPER', 'a--b', '-ab', 'ab', '$other', 'x'.repeat(64)])(
      'of a container cannot be %j',
      async (container) => {
        const account = await backend.open({ skip: (reason) => expect.unreachable(String(reason)) });
        const refused = { code: 'ContainerNameInvalid', isFinal: true };
        await expect(listed(account.files, container)).rejects.toMatchObject(refused);
        await expect(account.files.stat(container, 'a')).rejects.toMatchObject(refused);
        await expect(account.files.put(container, 'a', Buffer.from('x'), DRAFT)).rejects.toMatchObject(refused);
        await expect(account.files.draft(container, 'a', DRAFT)).rejects.toMatchObject(refused);
        await expect(account.files.remove(container, 'a')).rejects.toMatchObject(refused);
      },
    );
  });
}
