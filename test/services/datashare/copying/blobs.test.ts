import { BlobServiceClient } from '@azure/storage-blob';
import { expect, it } from 'vitest';
import { openSqlite } from '../../../../src/kernel/store/index.ts';
import {
  type CopyResult,
  type CopyTask,
  copyCollections,
  copyFiles,
} from '../../../../src/services/datashare/copying/index.ts';
import { PIECE_BYTES } from '../../../../src/services/datashare/storage/index.ts';
import { stopAzuriteAfterwards, useAzurite } from '../../../support/use-azurite.ts';
import { azuriteBackend, newContainer } from '../storage/support.ts';
import { noting, times } from './support.ts';

/** Copies between folders and a real blob storage; the copy rules are tested in `rules.test.ts`. */

stopAzuriteAfterwards();

const LARGE = Buffer.alloc(3 * PIECE_BYTES + 7, 'large ').toString('latin1');
const FILES: Readonly<Record<string, string>> = {
  'a b/ä': 'content',
  'a b/empty': '',
  'large/one': LARGE,
  top: 'x',
};

it('files go from blob storage to a folder and on to blob storage, whole, and only where they changed', async (context) => {
  const account = await azuriteBackend.open(context);
  const store = await openSqlite({ collections: copyCollections });
  const [from, to] = [newContainer(), newContainer()];
  for (const [name, content] of Object.entries(FILES)) await account.fill(from, name, content);
  const whole = { select: { folder: '' } };
  const legs = [
    {
      from: { account: account.name, container: from, ...whole },
      to: { account: 'consumer', container: 'box', folder: 'in' },
    },
    {
      from: { account: 'consumer', container: 'box', select: { folder: 'in' } },
      to: { account: account.name, container: to, folder: 'out' },
    },
  ] as const;
  const both = async (mode: CopyTask['mode'], run: string): Promise<CopyResult['tally'][]> => {
    const tallies: CopyResult['tally'][] = [];
    for (const [leg, places] of legs.entries()) {
      const task = { ledger: String(leg), run, mode, ...places };
      const copied = await copyFiles(task, { store, storage: account.storage, watch: { proceed: async () => true } });
      tallies.push(copied.tally);
    }
    return tallies;
  };

  expect(await both('Incremental', '1')).toMatchObject([{ filesWritten: 4 }, { filesWritten: 4 }]);
  for (const [name, content] of Object.entries(FILES)) expect(await account.content(to, `out/${name}`)).toBe(content);
  expect(await both('Incremental', '2')).toMatchObject([
    { filesRead: 0, filesUnchanged: 4 },
    { filesRead: 0, filesUnchanged: 4 },
  ]);

  await account.fill(from, 'top', 'x');
  await account.fill(from, 'a b/ä', 'new content');
  await account.fill(from, 'large/one', LARGE);
  expect(await both('Incremental', '3')).toMatchObject([
    { filesRead: 3, filesWritten: 1 },
    { filesRead: 1, filesWritten: 1 },
  ]);
  expect(await account.content(to, 'out/a b/ä')).toBe('new content');

  await account.files.remove(from, 'top');
  expect(await both('FullSync', '4')).toMatchObject([
    { filesWritten: 3, filesRemoved: 1 },
    { filesWritten: 3, filesRemoved: 1 },
  ]);
  expect(await account.content(to, 'out/top')).toBeUndefined();
  await store.close();
});

it('a large blob goes on behind the blocks that have arrived', async (context) => {
  const account = await azuriteBackend.open(context);
  const store = await openSqlite({ collections: copyCollections });
  const [from, to] = [newContainer(), newContainer()];
  await account.fill(from, 'large', LARGE);
  const task: CopyTask = {
    ledger: 'mapping',
    run: 'one',
    mode: 'FullSync',
    from: { account: account.name, container: from, select: { file: 'large' } },
    to: { account: account.name, container: to, folder: '' },
  };
  const { storage, done } = noting(account.storage);
  const stopped = await copyFiles(task, { store, storage, watch: { proceed: times(3) } });
  expect(stopped.ended).toBe('stopped');
  const client = BlobServiceClient.fromConnectionString((await useAzurite(context)).connectionString());
  const blocks = await client.getContainerClient(to).getBlockBlobClient('large').getBlockList('uncommitted');
  expect(blocks.uncommittedBlocks).toHaveLength(2);
  done.read.length = 0;
  expect((await copyFiles(task, { store, storage, watch: { proceed: async () => true } })).ended).toBe('done');
  expect(done.read).toEqual([`large @${2 * PIECE_BYTES}`, `large @${3 * PIECE_BYTES}`]);
  expect(await account.content(to, 'large')).toBe(LARGE);
  await store.close();
});
