import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case } from '../lib/case.ts';
import { CONNECTIONS } from '../lib/compare-load.ts';
import { startJarProcess } from '../lib/contenders.ts';
import { GROUP_BODY, groupAddresses } from '../lib/documents.ts';
import { putLoadOn } from '../lib/load.ts';
import { takeTurns } from '../lib/rounds.ts';

const CLIENTS = 20;

export const live: Case = {
  name: 'live',
  summary: `What the live stream costs: requests a second for a GET of a resource group on ${CONNECTIONS} connections, without and with ${CLIENTS} clients of the stream.`,
  async run({ quick, folder, say }) {
    const jar = await startJarProcess(folder, ['--clock', 'virtual']);
    const key = readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim();
    const groups = await groupAddresses(jar);
    const url = jar.url + groups.of('bench');
    const headers = { authorization: `Bearer ${groups.token}` };
    const json = { ...headers, 'content-type': 'application/json' };
    await fetch(url, { method: 'PUT', headers: json, body: JSON.stringify(GROUP_BODY) });
    const load = { url, method: 'GET', headers, connections: CONNECTIONS, seconds: quick ? 2 : 5 } as const;
    let bytes = 0;
    const round = (clients: number) => async (): Promise<number> => {
      say(`${clients} clients`);
      const leave = new AbortController();
      const streams = Array.from({ length: clients }, () => readStream(`${jar.url}/_jar/live`, key, leave.signal));
      const opened = await Promise.all(streams);
      const { perSecond } = await putLoadOn(jar, load);
      leave.abort();
      bytes = Math.max(bytes, ...(await Promise.all(opened.map(({ received }) => received))));
      return perSecond;
    };
    const rounds = quick ? 2 : 7;
    const figures = await takeTurns(rounds, { none: round(0), some: round(CLIENTS) }, { warmUps: quick ? 1 : 2 });
    await jar.stop();
    if (bytes === 0) throw new Error('the clients received nothing');
    return [
      {
        title: `GET with ${CLIENTS} clients of the live stream`,
        unit: 'requests/s',
        baseline: { name: 'no client', values: figures.none },
        subject: { name: `${CLIENTS} clients`, values: figures.some },
        target: { atLeast: 0.9 },
        note: `A client received at most ${Math.round(bytes / 1024 / load.seconds)} KiB a second. The clients run in the process of the case, which shares the processors.`,
      },
    ];
  },
};

/** Resolves when the stream is open; `received` with the bytes when it was left. */
async function readStream(url: string, key: string, signal: AbortSignal): Promise<{ received: Promise<number> }> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal });
  const { body } = response;
  if (!response.ok || !body) throw new Error(`the stream was not opened: ${response.status}`);
  const count = async (): Promise<number> => {
    let bytes = 0;
    try {
      for await (const part of body) bytes += part.byteLength;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return bytes;
  };
  return { received: count() };
}
