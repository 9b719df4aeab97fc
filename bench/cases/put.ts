import { join } from 'node:path';
import type { Case } from '../lib/case.ts';
import { startBare, startJarProcess } from '../lib/contenders.ts';
import { GROUP_BODY, groupAddresses } from '../lib/documents.ts';
import { busyNote, type LoadResult, putLoadOn } from '../lib/load.ts';
import { takeTurns } from '../lib/rounds.ts';
import type { ServerProcess } from '../lib/server-process.ts';

const CONNECTIONS = 32;
const WARM_UPS = 3;
/** More than a round can write, so that no two rounds write the same name. */
const NAMES_PER_ROUND = 1_000_000;

export const put: Case = {
  name: 'put',
  summary: `Requests answered per second on ${CONNECTIONS} connections: PUT of a new document each time, on disk before it is answered; in the jar a resource group with its change record.`,
  async run({ quick, folder }) {
    const jar = await startJarProcess(join(folder, 'jar'), ['--clock', 'virtual']);
    const bare = await startBare(join(folder, 'bare'));
    const groups = await groupAddresses(jar);
    const loads: Record<'bare' | 'jar', LoadResult[]> = { bare: [], jar: [] };
    const round = async (
      name: 'bare' | 'jar',
      server: ServerProcess,
      numbered: string,
      token?: string,
    ): Promise<number> => {
      const result = await putLoadOn(server, {
        url: server.url,
        method: 'PUT',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(GROUP_BODY),
        connections: CONNECTIONS,
        seconds: quick ? 2 : 5,
        numbered,
        from: loads[name].length * NAMES_PER_ROUND,
      });
      loads[name].push(result);
      return result.perSecond;
    };
    const figures = await takeTurns(
      quick ? 2 : 7,
      {
        bare: () => round('bare', bare, '/docs/group-{n}'),
        jar: () => round('jar', jar, groups.of('group-{n}'), groups.token),
      },
      { warmUps: WARM_UPS },
    );
    await Promise.all([jar.stop(), bare.stop()]);
    return [
      {
        title: 'PUT of a new document',
        unit: 'requests/s',
        baseline: { name: 'bare program', values: figures.bare },
        subject: { name: 'jar', values: figures.jar },
        target: { atLeast: 0.6 },
        note: busyNote(loads),
      },
    ];
  },
};
