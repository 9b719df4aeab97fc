import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openJar } from '../../src/jar/index.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import type { Case } from '../lib/case.ts';
import { CONNECTIONS } from '../lib/compare-load.ts';
import { type JarProcess, startJarProcess } from '../lib/contenders.ts';
import { groupAddresses } from '../lib/documents.ts';
import { putLoadOn } from '../lib/load.ts';
import { takeTurns } from '../lib/rounds.ts';

/** Number of checks for fault rules per round. */
const LOOKS = 20_000_000;

const NEVER_MATCHES = { match: { path: '/api/v2.0/companies(*)/items' }, effect: { status: 500 } };
const MATCHES = { match: { path: '/subscriptions*' }, effect: { status: 500 }, nth: 1_000_000_000 };

export const faults: Case = {
  name: 'faults',
  summary: `What fault rules cost requests that they do not strike: processor time of the server for a GET of a list on ${CONNECTIONS} connections, with and without a rule in the same jar.`,
  async run({ quick, folder, say }) {
    const jar = await startJarProcess(folder, ['--clock', 'virtual']);
    const key = readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim();
    const { token, list } = await groupAddresses(jar);
    const seconds = quick ? 2 : 4;
    const round = (name: string, rule?: object) => async (): Promise<number> => {
      say(name);
      await order(jar, key, rule);
      const headers = { authorization: `Bearer ${token}` };
      const load = { url: jar.url + list, method: 'GET', headers, connections: CONNECTIONS, seconds } as const;
      const { serverBusy, perSecond } = await putLoadOn(jar, load);
      return (serverBusy / perSecond) * 1e6;
    };
    const cost = await takeTurns(
      quick ? 2 : 7,
      {
        none: round('no rule'),
        idle: round('a rule that does not match', NEVER_MATCHES),
        counted: round('a rule that counts', MATCHES),
      },
      { warmUps: quick ? 1 : 2 },
    );
    await jar.stop();
    const baseline = { name: 'no rule', values: cost.none };
    return [
      {
        title: 'the look whether there are rules',
        unit: 'µs',
        baseline,
        subject: { name: 'the look', values: await looks(cost.none.length) },
        target: { atMost: 0.001 },
      },
      {
        title: 'GET past a rule that does not match',
        unit: 'µs',
        baseline,
        subject: { name: 'one rule', values: cost.idle },
        target: { atMost: 1.1 },
      },
      {
        title: 'GET that a rule counts without striking',
        unit: 'µs',
        baseline,
        subject: { name: 'one rule, a durable count for each', values: cost.counted },
        note: 'A count waits for its commit, and requests that share a commit are answered together: each takes longer, and the server less time.',
      },
    ];
  },
};

async function order(jar: JarProcess, key: string, rule: object | undefined): Promise<void> {
  const ask = async (method: string, body?: object): Promise<void> => {
    const response = await fetch(`${jar.url}/_jar/faults`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} faults answered ${response.status}: ${await response.text()}`);
  };
  await ask('DELETE');
  if (rule) await ask('POST', rule);
}

/** Microseconds per check, for each round. */
async function looks(rounds: number): Promise<number[]> {
  const config = loadConfig({ flags: { port: 0, httpsPort: 0, memory: true }, env: {}, cwd: '/' });
  const running = await openJar({ config, inProcess: true });
  const { faults } = running.jar;
  const values: number[] = [];
  for (let round = -1; round < rounds; round++) {
    let armed = 0;
    const began = performance.now();
    for (let i = 0; i < LOOKS; i++) if (faults.armed) armed += 1;
    const took = performance.now() - began;
    if (armed > 0) throw new Error('the jar has rules');
    if (round >= 0) values.push((took * 1000) / LOOKS);
  }
  await running.close();
  return values;
}
