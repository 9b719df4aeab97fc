import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copied, copyProgress } from '../../../../src/services/datashare/copying/collections.ts';
import { forgetLedger, forgetProgress } from '../../../../src/services/datashare/copying/index.ts';
import type { FileStore, Storage } from '../../../../src/services/datashare/storage/index.ts';
import { FROM, isThere, rulesStores, stores, TO, times, World, writeAt } from './support.ts';

const PIECE = 4 * 1024 * 1024;
const [SMALL, LARGE] = ['small', Buffer.alloc(2 * PIECE + 5, 'large ')];

for (const engine of rulesStores) {
  describe(`${engine.name}: a synchronization`, () => {
    it('copies a whole container, with its folders and empty files', async (context) => {
      const world = await World.open(engine, context);
      for (const name of ['a', 'b/c', 'b/d/e', 'b-c', 'ä/\u{1F600}', `${'long/'.repeat(190)}name`])
        world.write(name, name);
      world.write('empty', '');
      world.write('large', LARGE);
      for (const mode of ['FullSync', 'Incremental'] as const) {
        const { ended, tally } = await world.copy(mode, { ledger: mode, to: { ...TO, folder: mode } });
        const size = Object.values(world.contentOfSource()).reduce((sum, { length }) => sum + length, 0);
        expect({ ended, tally }).toEqual({
          ended: 'done',
          tally: {
            filesRead: 8,
            filesWritten: 8,
            sizeRead: size,
            sizeWritten: size,
            filesUnchanged: 0,
            filesRemoved: 0,
            entriesSkipped: 0,
          },
        });
      }
      const expected = Object.entries(world.contentOfSource());
      expect(world.contentOfTarget()).toEqual(
        Object.fromEntries(
          ['FullSync', 'Incremental'].flatMap((mode) => expected.map(([name, it]) => [`${mode}/${name}`, it])),
        ),
      );
      expect(readdirSync(join(world.root, 'consumer', '.cloudjar-drafts'))).toEqual([]);
    });

    it('copies a folder with the paths below it', async (context) => {
      const world = await World.open(engine, context);
      for (const name of ['x/a', 'x/y/b', 'xa', 'z']) world.write(name, name);
      await world.copy('FullSync', {
        from: { ...FROM, select: { folder: '/x/' } },
        to: { ...TO, folder: 'deep/down' },
      });
      expect(world.contentOfTarget()).toEqual({ 'deep/down/a': 'x/a', 'deep/down/y/b': 'x/y/b' });
    });

    it('copies a single file under its own name or another', async (context) => {
      const world = await World.open(engine, context);
      for (const name of ['x/a', 'x/b']) world.write(name, name);
      const from = { ...FROM, select: { file: 'x/a' } };
      await world.copy('FullSync', { from, to: { ...TO, folder: 'f' } });
      await world.copy('FullSync', { from, ledger: 'other', to: { ...TO, folder: 'f', file: 'g/h' } });
      expect(world.contentOfTarget()).toEqual({ 'f/a': 'x/a', 'f/g/h': 'x/a' });
      world.delete('x/a');
      await expect(world.copy('FullSync', { from })).rejects.toMatchObject({ code: 'FileNotFound', isFinal: true });
    });

    it('fails if the container is missing, and copies nothing if the folder is missing', async (context) => {
      const world = await World.open(engine, context);
      const from = { ...FROM, container: 'missing' };
      await expect(world.copy('FullSync', { from })).rejects.toMatchObject({
        code: 'ContainerNotFound',
        message: "The storage account 'provider' has no container 'missing'.",
      });
      const { tally } = await world.copy('FullSync', { from: { ...FROM, select: { folder: 'nowhere' } } });
      expect(tally).toMatchObject({ filesRead: 0, filesWritten: 0 });
    });

    it('does not copy into its own source', async (context) => {
      const world = await World.open(engine, context);
      world.write('a/b', '1');
      const to = { ...FROM, folder: 'a/copy' };
      const refused = { code: 'TargetInSource', isFinal: true };
      await expect(world.copy('FullSync', { to })).rejects.toMatchObject(refused);
      const folder = { ...FROM, select: { folder: 'a' } };
      await expect(world.copy('FullSync', { from: folder, to })).rejects.toMatchObject(refused);
      const file = { ...FROM, select: { file: 'a/b' } };
      await expect(world.copy('FullSync', { from: file, to: { ...FROM, folder: 'a' } })).rejects.toMatchObject(refused);
      expect((await world.copy('FullSync', { from: folder, to: { ...FROM, folder: 'ab' } })).tally.filesWritten).toBe(
        1,
      );
    });

    it('counts links and leaves them out', async (context) => {
      const world = await World.open(engine, context);
      world.write('a', '1');
      symlinkSync('/etc/passwd', world.source('link'));
      expect((await world.copy('Incremental')).tally).toMatchObject({ filesWritten: 1, entriesSkipped: 1 });
      expect(world.contentOfTarget()).toEqual({ a: '1' });
    });

    it('keeps apart what mappings have copied that go to the same place', async (context) => {
      const world = await World.open(engine, context);
      world.write('x/a', '1');
      world.write('y/b', '2');
      const of = (folder: string) => ({ ledger: folder, from: { ...FROM, select: { folder } } });
      await world.copy('FullSync', of('x'));
      await world.copy('FullSync', of('y'));
      expect(world.contentOfTarget()).toEqual({ a: '1', b: '2' });
      world.delete('x/a');
      await world.copy('FullSync', of('y'));
      expect(world.contentOfTarget()).toEqual({ a: '1', b: '2' });
      await world.copy('FullSync', of('x'));
      expect(world.contentOfTarget()).toEqual({ b: '2' });
    });
  });

  describe(`${engine.name}: an incremental synchronization`, () => {
    it.each([
      ['small', SMALL],
      ['large', LARGE],
    ])('reads no %s file that has not changed, and writes none with the same content', async (_, content) => {
      const world = await World.open(engine, { skip: () => expect.unreachable() });
      for (const name of ['a', 'b', 'c']) world.write(name, content);
      await world.copy('Incremental');
      const nothing = await world.copy('Incremental');
      expect(nothing.done).toEqual({ read: [], written: [], removed: [] });
      expect(nothing.tally).toMatchObject({ filesUnchanged: 3, filesRead: 0, filesWritten: 0 });

      utimesSync(world.source('a'), 1, 1);
      world.write('b', content);
      world.write('c', Buffer.concat([Buffer.from('!'), Buffer.from(content).subarray(1)]));
      const { done, tally } = await world.copy('Incremental');
      expect(new Set(done.read.map((read) => read.split(' ')[0]))).toEqual(new Set(['a', 'b', 'c']));
      expect(done.written).toEqual(['c']);
      expect(tally).toMatchObject({
        filesRead: 3,
        filesWritten: 1,
        sizeRead: 3 * content.length,
        sizeWritten: content.length,
        filesUnchanged: 0,
      });
      expect(world.contentOfTarget()).toEqual(world.contentOfSource());
      // A file with equal content gets its new version in the ledger.
      expect((await world.copy('Incremental')).tally).toMatchObject({ filesUnchanged: 3, filesRead: 0 });
      expect(readdirSync(join(world.root, 'consumer', '.cloudjar-drafts'))).toEqual([]);
    });

    it('copies new files and deletes nothing', async (context) => {
      const world = await World.open(engine, context);
      for (const name of ['a', 'b']) world.write(name, name);
      await world.copy('FullSync');
      world.delete('a');
      world.write('c', 'c');
      const { done } = await world.copy('Incremental');
      expect(done).toEqual({ read: ['c'], written: ['c'], removed: [] });
      expect(world.contentOfTarget()).toEqual({ a: 'a', b: 'b', c: 'c' });
    });

    it('relies on its own ledger, not on changes by the consumer at the target', async (context) => {
      const world = await World.open(engine, context);
      world.write('a', 'a');
      await world.copy('Incremental');
      writeAt(world.target('a'), 'changed by the consumer');
      writeAt(world.target('own'), 'of the consumer');
      expect((await world.copy('Incremental')).done.written).toEqual([]);
      expect(world.contentOfTarget()).toEqual({ a: 'changed by the consumer', own: 'of the consumer' });
    });
  });

  describe(`${engine.name}: a source that changes`, () => {
    /** Changes a file between its listing and its first read, `changes` times. */
    function restless(world: World, changes: number, change: (left: number) => void): Storage {
      let left = changes;
      const restlessly = (files: FileStore): FileStore =>
        Object.assign(Object.create(files) as FileStore, {
          list: files.list.bind(files),
          stat: files.stat.bind(files),
          put: files.put.bind(files),
          draft: files.draft.bind(files),
          remove: files.remove.bind(files),
          forgetDrafts: files.forgetDrafts.bind(files),
          open: (container: string, file: Parameters<FileStore['open']>[1]) => {
            if (file.name === 'restless' && left-- > 0) change(left);
            return files.open(container, file);
          },
        });
      return { account: (name) => restlessly(world.storage.account(name)) };
    }

    it('is tried again, and the content that is read is of one version', async (context) => {
      const world = await World.open(engine, context);
      world.write('restless', 'first');
      const storage = restless(world, 3, (left) =>
        world.write('restless', left === 0 ? LARGE : `${left}`.repeat(left)),
      );
      const { tally } = await world.copy('FullSync', { storage });
      expect(tally).toMatchObject({ filesRead: 1, sizeRead: LARGE.length });
      expect(world.contentOfTarget()).toEqual(world.contentOfSource());
    });

    it('is named if it keeps changing, and files copied before stay', async (context) => {
      const world = await World.open(engine, context);
      world.write('calm', '1');
      world.write('restless', 'first');
      const storage = restless(world, 100, (left) => world.write('restless', 'x'.repeat(left)));
      await expect(world.copy('FullSync', { run: 'one', storage })).rejects.toMatchObject({
        code: 'FileChanged',
        isFinal: false,
        message: "The file 'restless' changed while it was read.",
      });
      expect(world.contentOfTarget()).toEqual({ calm: '1' });
      const { done, tally } = await world.copy('FullSync', { run: 'one' });
      expect(done.read).toEqual(['restless']);
      expect(tally.filesRead).toBe(2);
    });

    it('may lose a file on the way', async (context) => {
      const world = await World.open(engine, context);
      world.write('calm', '1');
      world.write('restless', 'first');
      const storage = restless(world, 1, () => world.delete('restless'));
      expect((await world.copy('FullSync', { storage })).tally.filesRead).toBe(1);
      world.write('restless', 'again');
      const alone = { ...FROM, select: { file: 'restless' } };
      const losing = restless(world, 1, () => world.delete('restless'));
      await expect(world.copy('FullSync', { from: alone, storage: losing })).rejects.toMatchObject({
        code: 'FileNotFound',
      });
    });
  });
}

for (const engine of stores) {
  describe(`${engine.name}: a full synchronization`, () => {
    it('copies every file anew and removes what the source no longer has, and nothing else', async (context) => {
      const world = await World.open(engine, context);
      for (const name of ['a', 'x/b', 'x/c']) world.write(name, name);
      await world.copy('FullSync');
      writeAt(world.target('x/own'), 'of the consumer');
      writeAt(world.target('a'), 'changed by the consumer');
      world.delete('x/b');
      const { done, tally } = await world.copy('FullSync');
      expect(done.written.toSorted()).toEqual(['a', 'x/c']);
      expect(done.removed).toEqual(['x/b']);
      expect(tally).toMatchObject({ filesRead: 2, filesWritten: 2, filesRemoved: 1 });
      expect(world.contentOfTarget()).toEqual({ a: 'a', 'x/c': 'x/c', 'x/own': 'of the consumer' });
      world.delete('x');
      await world.copy('FullSync');
      expect(world.contentOfTarget()).toEqual({ a: 'a', 'x/own': 'of the consumer' });
    });

    it('removes hundreds of files, and with them what an incremental one had left', async (context) => {
      const world = await World.open(engine, context);
      for (let i = 0; i < 300; i++) world.write(`f${i % 5}/${i}`, String(i));
      await world.copy('FullSync');
      world.delete('');
      mkdirSync(world.source());
      world.write('new', '1');
      await world.copy('Incremental');
      expect((await world.copy('FullSync')).tally).toMatchObject({ filesRead: 1, filesRemoved: 300 });
      expect(world.contentOfTarget()).toEqual({ new: '1' });
      expect(await world.store.count(copied)).toBe(1);
    });

    it('makes folders of files and files of folders', async (context) => {
      const world = await World.open(engine, context);
      const long = `${'ü'.repeat(100)}/`.repeat(9);
      for (const name of ['a', 'b/c', 'b/d/e', `b/${long}f`, 'g']) world.write(name, name);
      await world.copy('FullSync');
      for (const name of ['a', 'b']) world.delete(name);
      for (const name of ['a/b/c', 'a/d', 'b']) world.write(name, name);
      expect((await world.copy('FullSync')).tally.filesRemoved).toBe(4);
      expect(world.contentOfTarget()).toEqual(world.contentOfSource());
    });

    it('removes a file once that stands in the way of many', async (context) => {
      const world = await World.open(engine, context);
      world.write('a', 'a file');
      await world.copy('FullSync');
      world.delete('a');
      for (let i = 0; i < 30; i++) world.write(`a/${i}`, String(i));
      expect((await world.copy('FullSync')).tally).toMatchObject({ filesRemoved: 1, filesWritten: 30 });
      expect(world.contentOfTarget()).toEqual(world.contentOfSource());
    });

    it('does not remove what others have put in the way', async (context) => {
      const world = await World.open(engine, context);
      world.write('a/b', '1');
      world.write('c', '2');
      writeAt(world.target('a'), 'of the consumer');
      await expect(world.copy('FullSync')).rejects.toMatchObject({
        code: 'PathConflict',
        message: "The file 'a/b' cannot be written: a folder on its path is a file.",
      });
      expect(world.contentOfTarget()).toMatchObject({ a: 'of the consumer' });
    });
  });

  describe(`${engine.name}: a run that was stopped`, () => {
    it('resumes after the recorded files, and counts everything once', async (context) => {
      const world = await World.open(engine, context);
      for (let i = 0; i < 700; i++) world.write(`f${i % 3}/${i}`, String(i));
      const read: string[] = [];
      const runs: string[] = [];
      for (const stop of [0, 5, 300, 250, 1000]) {
        const { ended, done } = await world.copy('FullSync', { run: 'one', proceed: times(stop) });
        runs.push(ended);
        read.push(...done.read);
      }
      expect(runs).toEqual(['stopped', 'stopped', 'stopped', 'stopped', 'done']);
      expect(read.toSorted()).toEqual(Object.keys(world.contentOfSource()).toSorted());
      const again = await world.copy('FullSync', { run: 'one' });
      expect(again).toMatchObject({ ended: 'done', tally: { filesRead: 700, filesWritten: 700 } });
      expect(again.done.read).toEqual([]);
      expect(world.contentOfTarget()).toEqual(world.contentOfSource());
    });

    it('goes on in the middle of a large file, unless that has changed', async (context) => {
      const world = await World.open(engine, context);
      const content = Buffer.alloc(5 * PIECE, 'a');
      world.write('a', content);
      expect((await world.copy('FullSync', { run: 'one', proceed: times(4) })).ended).toBe('stopped');
      const { done, tally } = await world.copy('FullSync', { run: 'one', proceed: times(3) });
      expect(done.read).toEqual([`a @${3 * PIECE}`, `a @${4 * PIECE}`]);
      expect(tally).toMatchObject({ filesRead: 1, filesWritten: 1, sizeRead: 5 * PIECE });
      expect(world.contentOfTarget()).toEqual(world.contentOfSource());

      await world.copy('FullSync', { run: 'two', proceed: times(4) });
      world.write('a', content.fill('b'));
      const second = await world.copy('FullSync', { run: 'two' });
      expect(second.done.read[0]).toBe('a');
      expect(second.tally).toMatchObject({ filesRead: 1 });
      expect(world.contentOfTarget()).toEqual(world.contentOfSource());
      expect(readdirSync(join(world.root, 'consumer', '.cloudjar-drafts'))).toEqual([]);
    });

    it('begins a large file anew when its draft is gone', async (context) => {
      const world = await World.open(engine, context);
      world.write('a', Buffer.alloc(3 * PIECE + 1, 'a'));
      await world.copy('FullSync', { run: 'one', proceed: times(3) });
      rmSync(join(world.root, 'consumer', '.cloudjar-drafts'), { recursive: true });
      expect((await world.copy('FullSync', { run: 'one' })).done.read[0]).toBe('a');
      expect(world.contentOfTarget()).toEqual(world.contentOfSource());
    });

    it('removes the rest when it was stopped while it removed', async (context) => {
      const world = await World.open(engine, context);
      for (let i = 0; i < 200; i++) world.write(`f${i}`, String(i));
      await world.copy('FullSync');
      world.delete('');
      mkdirSync(world.source());
      const stopped = await world.copy('FullSync', { run: 'last', proceed: times(2) });
      expect(stopped).toMatchObject({ ended: 'stopped', tally: { filesRemoved: 128 } });
      const done = await world.copy('FullSync', { run: 'last' });
      expect(done).toMatchObject({ ended: 'done', tally: { filesRemoved: 200 } });
      expect(world.contentOfTarget()).toEqual({});
    });

    it('stays as it is when the next one begins from the start', async (context) => {
      const world = await World.open(engine, context);
      for (let i = 0; i < 20; i++) world.write(`f${i}`, String(i));
      await world.copy('Incremental', { run: 'one', proceed: times(7) });
      const { tally } = await world.copy('Incremental', { run: 'two' });
      expect(tally).toMatchObject({ filesRead: 13, filesUnchanged: 7 });
      await world.store.transact((tx) => forgetProgress(tx, { ledger: 'mapping', run: 'one' }));
      expect(await world.store.count(copyProgress)).toBe(1);
    });
  });

  it(`${engine.name}: a ledger that is forgotten copies everything again, and keeps the files`, async (context) => {
    const world = await World.open(engine, context);
    for (let i = 0; i < 600; i++) world.write(`f${i}`, String(i));
    await world.copy('FullSync');
    await world.copy('FullSync', { ledger: 'other', to: { ...TO, folder: 'other' } });
    await forgetLedger(world.store, 'mapping');
    expect(await world.store.count(copied)).toBe(600);
    expect(await world.store.count(copyProgress)).toBe(1);
    expect(isThere(world.target('f1'))).toBe(true);
    world.delete('f1');
    expect((await world.copy('FullSync')).tally).toMatchObject({ filesWritten: 599, filesRemoved: 0 });
  });
}
