import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Directory } from '../../../../src/services/datashare/storage/folder/directory.ts';
import { entriesOf } from '../../../../src/services/datashare/storage/folder/entries.ts';
import { FolderFileStore } from '../../../../src/services/datashare/storage/folder/store.ts';
import type { FilePage } from '../../../../src/services/datashare/storage/index.ts';
import { listed, namesOf, newFolder, readWhole } from './support.ts';

const DRAFT = '0123456789abcdef-0123456789abcdef';
const REFUSED = { code: 'LinkRefused', isFinal: true };

/** An account with a container `box`, and a secret outside of the account. */
function places() {
  const root = newFolder();
  const outside = newFolder();
  writeFileSync(join(outside, 'secret'), 'my-secret-text');
  const box = join(root, 'shop', 'box');
  mkdirSync(box, { recursive: true });
  return { root, outside, box };
}

async function pagesOf(files: FolderFileStore, folder = ''): Promise<FilePage[]> {
  const pages: FilePage[] = [];
  for await (const page of files.list('box', folder)) pages.push(page);
  return pages;
}

for (const byDescriptor of [true, false]) {
  describe(`a folder (${byDescriptor ? 'by descriptors' : 'by paths'})`, () => {
    const open = (root: string) => new FolderFileStore(root, 'shop', byDescriptor);

    it('has no links: a listing counts them and goes on', async () => {
      const { root, outside, box } = places();
      writeFileSync(join(box, 'a'), 'a');
      mkdirSync(join(box, 'real'));
      writeFileSync(join(box, 'real', 'b'), 'b');
      symlinkSync(join(outside, 'secret'), join(box, 'link-to-file'));
      symlinkSync(outside, join(box, 'link-to-folder'));
      symlinkSync('real', join(box, 'link-within'));
      symlinkSync('nowhere', join(box, 'real', 'dangling'));
      symlinkSync('.', join(box, 'real', 'circle'));
      const pages = await pagesOf(open(root));
      expect(pages.flatMap((page) => namesOf(page.files))).toEqual(['a', 'real/b']);
      expect(pages.map(({ skipped }) => skipped)).toEqual([5]);
    });

    it('is not left by a link, whatever is asked of it', async () => {
      const { root, outside, box } = places();
      symlinkSync(join(outside, 'secret'), join(box, 'file'));
      symlinkSync(outside, join(box, 'folder'));
      const files = open(root);
      const secret = { name: 'folder/secret', size: 14, version: '1' };
      await expect(files.stat('box', 'file')).rejects.toMatchObject(REFUSED);
      await expect(files.open('box', { ...secret, name: 'file' })).rejects.toMatchObject(REFUSED);
      await expect(files.stat('box', 'folder/secret')).rejects.toMatchObject(REFUSED);
      await expect(files.open('box', secret)).rejects.toMatchObject(REFUSED);
      await expect(pagesOf(files, 'folder')).rejects.toMatchObject(REFUSED);
      await expect(files.put('box', 'folder/new', Buffer.from('x'), DRAFT)).rejects.toMatchObject(REFUSED);
      await expect(files.remove('box', 'folder/secret')).rejects.toMatchObject(REFUSED);
      // A file replaces the link; the link's target is unchanged.
      await files.remove('box', 'file');
      expect(existsSync(join(box, 'file'))).toBe(true);
      await files.put('box', 'file', Buffer.from('x'), DRAFT);
      expect(readFileSync(join(box, 'file'), 'utf8')).toBe('x');
      expect(readdirSync(outside)).toEqual(['secret']);
      expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('my-secret-text');
    });

    it.each(['shop', 'shop/box', 'shop/.cloudjar-drafts'])('is not reached if %s is a link', async (place) => {
      const { root, outside } = places();
      const at = join(root, place);
      renameSync(join(root, 'shop'), join(root, 'other'));
      if (place !== 'shop') mkdirSync(join(root, 'shop'));
      symlinkSync(outside, at);
      mkdirSync(join(outside, 'box'));
      await expect(open(root).put('box', 'new', Buffer.from('x'), DRAFT)).rejects.toMatchObject(REFUSED);
      expect(readdirSync(outside).toSorted()).toEqual(['box', 'secret']);
      expect(readdirSync(join(outside, 'box'))).toEqual([]);
    });

    it('has no link as a draft', async () => {
      const { root, outside } = places();
      const drafts = join(root, 'shop', '.cloudjar-drafts');
      mkdirSync(drafts);
      symlinkSync(join(outside, 'secret'), join(drafts, DRAFT));
      await expect(open(root).put('box', 'a', Buffer.from('x'), DRAFT)).rejects.toMatchObject(REFUSED);
      expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('my-secret-text');
    });

    it('counts pipes, sockets and names that cannot be used, and waits for none of them', async () => {
      const { root, box } = places();
      execFileSync('mkfifo', [join(box, 'pipe')]);
      const server = createServer();
      await new Promise<void>((listening) => server.listen(join(box, 'socket'), listening));
      onTestFinished(() => new Promise<void>((closed) => void server.close(() => closed())));
      writeFileSync(join(box, 'back\\slash'), '1');
      writeFileSync(Buffer.concat([Buffer.from(`${box}/`), Buffer.from([0xff, 0xfe])]), '2');
      mkdirSync(join(box, 'back\\folder'));
      writeFileSync(join(box, 'back\\folder', 'in it'), '3');
      writeFileSync(join(box, 'replaced \uFFFD'), '4');
      const [page] = await pagesOf(open(root));
      expect(namesOf(page?.files ?? [])).toEqual(['replaced \uFFFD']);
      expect(page?.skipped).toBe(5);
      expect(await open(root).stat('box', 'pipe')).toBeUndefined();
      const pipe = { name: 'pipe', size: 0, version: '1' };
      await expect(open(root).open('box', pipe)).rejects.toMatchObject({ code: 'FileChanged' });
    });

    it('has hard links and files of any mode like all others', async () => {
      const { root, box, outside } = places();
      writeFileSync(join(box, 'a'), 'content');
      linkSync(join(box, 'a'), join(box, 'b'));
      linkSync(join(outside, 'secret'), join(box, 'c'));
      chmodSync(join(box, 'a'), 0o444);
      const found = await listed(open(root), 'box');
      expect(namesOf(found)).toEqual(['a', 'b', 'c']);
      expect(await readWhole(open(root), 'box', found[1]!)).toBe('content');
    });

    it('rejects a file where a folder is needed, and the reverse', async () => {
      const { root, box } = places();
      writeFileSync(join(box, 'file'), 'content');
      mkdirSync(join(box, 'folder'));
      writeFileSync(join(box, 'folder', 'a'), 'a');
      const files = open(root);
      const conflict = (reason: string) => ({
        code: 'PathConflict',
        isFinal: true,
        message: expect.stringMatching(reason),
      });
      await expect(files.put('box', 'file/below', Buffer.from('x'), DRAFT)).rejects.toMatchObject(
        conflict("'file/below' .* a folder on its path is a file"),
      );
      await expect(files.put('box', 'folder', Buffer.from('x'), DRAFT)).rejects.toMatchObject(
        conflict("'folder' .* a folder with that name exists"),
      );
      expect(await files.stat('box', 'file/below')).toBeUndefined();
      expect(await files.stat('box', 'folder')).toBeUndefined();
      expect(await listed(files, 'box', 'file')).toEqual([]);
      await files.remove('box', 'folder');
      await files.remove('box', 'file/below');
      expect(namesOf(await listed(files, 'box'))).toEqual(['file', 'folder/a']);
    });

    it('loses folders that have become empty, and keeps the container', async () => {
      const { root, box } = places();
      const files = open(root);
      await files.put('box', 'x/y/z', Buffer.from('1'), DRAFT);
      await files.put('box', 'x/a', Buffer.from('1'), DRAFT);
      await files.remove('box', 'x/y/z');
      expect(readdirSync(join(box, 'x'))).toEqual(['a']);
      await files.remove('box', 'x/a');
      expect(readdirSync(box)).toEqual([]);
    });

    it('is created with the first file, and with it the folder of all accounts', async () => {
      const root = join(newFolder(), 'not', 'there');
      expect(await open(root).stat('box', 'a')).toBeUndefined();
      await expect(pagesOf(open(root))).rejects.toMatchObject({ code: 'ContainerNotFound' });
      await open(root).put('box', 'x/a', Buffer.from('1'), DRAFT);
      expect(namesOf(await listed(open(root), 'box'))).toEqual(['x/a']);
    });

    it('has another version after the same number of bytes was written with the old time', async () => {
      const { root, box } = places();
      const path = join(box, 'a');
      writeFileSync(path, 'one');
      utimesSync(path, 1, 1);
      const before = await open(root).stat('box', 'a');
      expect(await readWhole(open(root), 'box', before!)).toBe('one');
      writeFileSync(path, 'two');
      utimesSync(path, 1, 1);
      expect((await open(root).stat('box', 'a'))?.version).not.toBe(before?.version);
    });

    it('shows neither drafts nor paths of the machine', async () => {
      const { root, box } = places();
      const files = open(root);
      const draft = await files.draft('box', 'a', DRAFT);
      await draft.write(0, Buffer.from('x'));
      await draft.close();
      expect(await listed(files, 'box')).toEqual([]);
      await expect(listed(files, '.cloudjar-drafts')).rejects.toMatchObject({ code: 'ContainerNameInvalid' });
      await files.forgetDrafts('fedcba');
      expect(readdirSync(join(root, 'shop', '.cloudjar-drafts'))).toEqual([DRAFT]);
      await files.forgetDrafts('0123456789abcdef-');
      expect(readdirSync(join(root, 'shop', '.cloudjar-drafts'))).toEqual([]);
      writeFileSync(join(box, 'file'), '');
      const problem: unknown = await files.put('box', 'file/b', Buffer.from('x'), DRAFT).catch((error) => error);
      expect(String(problem)).not.toContain(root);
    });
  });
}

describe('a directory', () => {
  it('is read in parts that are no larger than what may be in memory', async () => {
    const { box } = places();
    const names = Array.from({ length: 100 }, (_, i) => `f${(i * 37) % 100}`);
    for (const name of names) writeFileSync(join(box, name), '');
    for (const folder of ['f', 'f5x', 'g']) mkdirSync(join(box, folder));
    const expected = [...names, 'f/', 'f5x/', 'g/'].toSorted();
    for (const most of [1, 7, 50, 103, 1000]) {
      const directory = (await Directory.root(box, true)) as Directory;
      const keys: string[] = [];
      for await (const { key } of entriesOf(directory, '', most)) keys.push(key);
      expect(keys).toEqual(expected);
      await directory.close();
    }
  });

  it('is the one that was opened, even when a link takes its place', async () => {
    const { box, outside } = places();
    mkdirSync(join(box, 'x'));
    writeFileSync(join(box, 'x', 'secret'), 'mine');
    const parent = (await Directory.root(box, true)) as Directory;
    const opened = (await parent.child('x', 'x')) as Directory;
    renameSync(join(box, 'x'), join(box, 'y'));
    symlinkSync(outside, join(box, 'x'));
    expect(readFileSync(opened.at('secret'), 'utf8')).toBe('mine');
    await expect(parent.child('x', 'x')).rejects.toMatchObject(REFUSED);
    await opened.close();
    await parent.close();
  });
});
