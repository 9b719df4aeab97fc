import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkPack, packIn } from '../../../../src/services/platform/git/pack.ts';
import { Repositories } from './support.ts';

const repositories = new Repositories();
afterAll(() => repositories.remove());

const MB = 1024 * 1024;
const BOUNDS = { file: 2 * MB, total: 10 * MB, objects: 1000 };

/** A long text and one that differs by a line, which git packs as a delta. */
const LONG = Array.from({ length: 20_000 }, (_, i) => `line ${(i * 7919) % 20_011}`).join('\n');
repositories.make('usual', { 'a.txt': LONG, 'b.txt': `${LONG}\nmore`, 'd/empty': '' });
repositories.make('bomb', { zeros: '\0'.repeat(3 * MB) });
repositories.make(
  'many',
  Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`z${i}`, `${'\0'.repeat(2 * MB - 9)}${i}`])),
);

function packOf(name: string): Buffer {
  const cwd = join(repositories.folder, name);
  const listed = repositories.git(name, 'rev-list', '--objects', '--all');
  const ids = listed.split('\n').map((line) => line.split(' ', 1)[0]);
  return execFileSync('git', ['pack-objects', '--stdout', '--quiet', '--delta-base-offset'], {
    cwd,
    input: ids.join('\n'),
    maxBuffer: 100 * MB,
  });
}

describe('a pack is checked before it is unpacked', () => {
  it('a normal pack passes, with deltas and empty files', async () => {
    const pack = packOf('usual');
    await checkPack(pack, BOUNDS);
    const last = pack.readUInt32BE(8);
    await checkPack(pack, { ...BOUNDS, objects: last });
    await expect(checkPack(pack, { ...BOUNDS, objects: last - 1 })).rejects.toThrow(/objects/);
    await expect(checkPack(pack, { ...BOUNDS, total: 2 * LONG.length })).rejects.toThrow();
  });

  it('files that decompress beyond the limits, individually or together, are refused', async () => {
    const bomb = packOf('bomb');
    expect(bomb.length).toBeLessThan(10_000);
    await expect(checkPack(bomb, BOUNDS)).rejects.toMatchObject({ bytes: 3 * MB });
    await expect(checkPack(packOf('many'), BOUNDS)).rejects.toThrow(/bytes/);
    await checkPack(packOf('many'), { ...BOUNDS, total: 20 * MB });
  });

  it('a truncated pack, or one with wrong sizes, is refused', async () => {
    const pack = packOf('usual');
    for (const end of [0, 5, 12, 13, 40, pack.length >> 1])
      await expect(checkPack(pack.subarray(0, end), BOUNDS), String(end)).rejects.toThrow();
    const wrong = Buffer.from(packOf('bomb'));
    const at = wrong.length - 100;
    wrong[at] = (wrong[at] ?? 0) ^ 255;
    await expect(checkPack(wrong, { ...BOUNDS, file: 4 * MB })).rejects.toThrow();
  });

  it('is found in the answer of a server with bands and without', () => {
    const line = (text: string) => Buffer.from((text.length + 4).toString(16).padStart(4, '0') + text, 'latin1');
    const banded = Buffer.concat([
      line('shallow 0123'),
      Buffer.from('0000'),
      line('NAK\n'),
      line('\u0002counting'),
      line('\u0001PACK'),
      line('\u0001more'),
      Buffer.from('0000'),
    ]);
    expect(packIn(banded).toString()).toBe('PACKmore');
    expect(packIn(Buffer.concat([line('NAK\n'), Buffer.from('PACKmore')])).toString()).toBe('PACKmore');
    expect(packIn(line('ERR not our ref'))).toHaveLength(0);
  });
});
