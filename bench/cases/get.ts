import { join } from 'node:path';
import type { Case } from '../lib/case.ts';
import { startBare, startJarProcess } from '../lib/contenders.ts';
import { type Document, makeDocuments } from '../lib/documents.ts';
import { busyNote, type LoadResult, putLoadOn } from '../lib/load.ts';
import { takeTurns } from '../lib/rounds.ts';
import type { ServerProcess } from '../lib/server-process.ts';

const CONNECTIONS = 32;
const WARM_UPS = 3;

export const get: Case = {
  name: 'get',
  summary: `Requests answered per second on ${CONNECTIONS} connections: GET of one stored document; in the jar a resource group, with a bearer token.`,
  async run({ quick, folder }) {
    // A clock that stands still counts the gateway's throttles without enforcing them.
    const jar = await startJarProcess(join(folder, 'jar'), ['--clock', 'virtual']);
    const bare = await startBare(join(folder, 'bare'));
    const { group, plain } = await makeDocuments(jar, bare);
    const loads: Record<'bare' | 'jar', LoadResult[]> = { bare: [], jar: [] };
    const round = async (name: 'bare' | 'jar', server: ServerProcess, { url, headers }: Document): Promise<number> => {
      const result = await putLoadOn(server, {
        url,
        headers,
        method: 'GET',
        connections: CONNECTIONS,
        seconds: quick ? 2 : 5,
      });
      loads[name].push(result);
      return result.perSecond;
    };
    const figures = await takeTurns(
      quick ? 2 : 7,
      {
        bare: () => round('bare', bare, plain),
        jar: () => round('jar', jar, group),
      },
      { warmUps: WARM_UPS },
    );
    await Promise.all([jar.stop(), bare.stop()]);
    return [
      {
        title: 'GET of a document',
        unit: 'requests/s',
        baseline: { name: 'bare program', values: figures.bare },
        subject: { name: 'jar', values: figures.jar },
        target: { atLeast: 0.7 },
        note: busyNote(loads),
      },
    ];
  },
};
