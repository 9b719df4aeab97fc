import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { MortalJar } from '../mortal-jar.ts';
import { newVolume, VOLUMES } from './support.ts';

const FILES = '/api/2.0/fs/files/Volumes/main/default/landing';
const KILLS = process.env.CLOUDJAR_SOAK === '1' ? 10 : 2;

it('after a kill during an upload the file is complete or missing', { timeout: 120_000 }, async () => {
  const jar = new MortalJar(['--clock', 'virtual']);
  await jar.start();
  try {
    await jar.need('POST', VOLUMES, newVolume('landing'));
    const bytes = randomBytes(24 * 1024 * 1024);
    for (let kill = 0; kill < KILLS; kill++) {
      const path = `${FILES}/big-${kill}`;
      const sent = jar.send('PUT', path, bytes);
      // Other requests are answered during the upload; the jar is killed in the middle of it.
      for (let count = 0; count <= kill; count++) await jar.send('GET', VOLUMES);
      await jar.kill();
      const answer = await sent;
      await jar.start();
      const found = await jar.send('HEAD', path);
      expect(answer?.status !== 204 || found?.status === 200).toBe(true);
      expect([200, 404]).toContain(found?.status);
      const listed = await jar.need('GET', '/api/2.0/fs/directories/Volumes/main/default/landing');
      const sizes = listed.contents.map(({ file_size }: { file_size: number }) => file_size);
      expect(sizes.every((size: number) => size === bytes.length)).toBe(true);
      // The received bytes are removed an hour later, and the file can be written.
      await jar.need('POST', '/_jar/clock/advance', { by: '2h' });
      expect((await jar.send('PUT', path, bytes.subarray(0, bytes.length)))?.status).toBe(204);
      expect((await jar.send('HEAD', path))?.status).toBe(200);
    }
  } finally {
    await jar.kill();
  }
});
