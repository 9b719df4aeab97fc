import { join } from 'node:path';
import type { Case } from '../lib/case.ts';
import { startAzurite, startBare, startJarProcess } from '../lib/contenders.ts';
import { makeDocuments, pathOf } from '../lib/documents.ts';
import { takeTurns } from '../lib/rounds.ts';
import { request, type ServerProcess } from '../lib/server-process.ts';

export const start: Case = {
  name: 'start',
  summary:
    'From spawning the process to its first answered request: one stored document. Data from an earlier run is there.',
  async run({ quick, folder }) {
    const jarFolder = join(folder, 'jar');
    const bareFolder = join(folder, 'bare');
    const jar = await startJarProcess(jarFolder);
    const bare = await startBare(bareFolder);
    const { group, plain } = await makeDocuments(jar, bare);
    await Promise.all([jar.stop(), bare.stop()]);

    const cache = { NODE_COMPILE_CACHE: join(folder, 'compile-cache') };
    const figures = await takeTurns(quick ? 3 : 11, {
      bare: () => firstAnswer(() => startBare(bareFolder), pathOf(plain)),
      jar: () => firstAnswer(() => startJarProcess(jarFolder), pathOf(group), group.headers),
      health: () => firstAnswer(() => startJarProcess(jarFolder), '/_jar/health'),
      cachedBare: () => firstAnswer(() => startBare(bareFolder, cache), pathOf(plain)),
      // Refusing an unsigned request is an answer too, and a cheap one for Azurite.
      azurite: () => firstAnswer(() => startAzurite(join(folder, 'azurite')), '/devstoreaccount1?comp=list', {}, 403),
    });
    const subject = { name: 'jar: GET of a resource group', values: figures.jar };
    const health = { name: 'jar: GET /_jar/health', values: figures.health };
    return [
      {
        title: 'first document',
        unit: 'ms',
        baseline: { name: 'bare program', values: figures.bare },
        subject,
        target: { atMost: 1.3 },
      },
      {
        title: 'first document',
        unit: 'ms',
        baseline: { name: 'Azurite, blob service', values: figures.azurite },
        subject,
        target: { atMost: 0.5 },
      },
      { title: 'health', unit: 'ms', baseline: { name: 'bare program', values: figures.bare }, subject: health },
      {
        title: 'first document',
        unit: 'ms',
        baseline: { name: 'bare program with a compile cache', values: figures.cachedBare },
        subject,
        note: 'The jar starts with the compile cache of V8, as its command always does; here the bare program is given one, too.',
      },
    ];
  },
};

async function firstAnswer(
  spawn: () => Promise<ServerProcess>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  expected = 200,
): Promise<number> {
  const server = await spawn();
  const { status, body } = await request(server.url + path, headers);
  const took = performance.now() - server.spawnedAt;
  await server.stop();
  if (status !== expected) throw new Error(`${server.url}${path} answered ${status}: ${body}`);
  return took;
}
