import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Case } from '../lib/case.ts';
import { startBare, startJarProcess } from '../lib/contenders.ts';
import { type Document, makeDocuments, pathOf } from '../lib/documents.ts';
import { takeTurns } from '../lib/rounds.ts';
import { request, residentMemory, type ServerProcess } from '../lib/server-process.ts';

const SETTLING_MS = 1000;

export const memory: Case = {
  name: 'memory',
  summary: 'Resident memory of the process, a second after its start and first answered request.',
  async run({ quick, folder }) {
    const jarFolder = join(folder, 'jar');
    const bareFolder = join(folder, 'bare');
    const jar = await startJarProcess(jarFolder);
    const bare = await startBare(bareFolder);
    const { group, plain } = await makeDocuments(jar, bare);
    await Promise.all([jar.stop(), bare.stop()]);

    const figures = await takeTurns(quick ? 2 : 7, {
      bare: () => settledMemory(() => startBare(bareFolder), plain),
      jar: () => settledMemory(() => startJarProcess(jarFolder), group),
    });
    return [
      {
        title: 'resident memory',
        unit: 'MB',
        baseline: { name: 'bare program', values: figures.bare },
        subject: { name: 'jar', values: figures.jar },
        target: { atMost: 1.2 },
      },
    ];
  },
};

async function settledMemory(spawn: () => Promise<ServerProcess>, document: Document): Promise<number> {
  const server = await spawn();
  const { status } = await request(server.url + pathOf(document), document.headers);
  if (status !== 200) throw new Error(`${document.url} answered ${status}`);
  await pause(SETTLING_MS);
  const resident = residentMemory(server.pid);
  await server.stop();
  return resident;
}
