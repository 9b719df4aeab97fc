// Pushes rows to a dataset in requests of 10,000, alternating with the same rows inserted by a bare prepared statement into the same
// engine. Reports the time of each, the cost of the retention policy once a table is full, and the peak memory of the process.
import { join } from 'node:path';
import { openJar } from '../../src/jar/index.ts';
import { loadConfig } from '../../src/kernel/config/config.ts';
import { SERVICES } from '../../src/services.ts';
import { barePostgres, bareSqlite } from './bare-insert.ts';
import { saleOf } from './star.ts';

const [folder = '', database = '', rounds = '0', wanted = '0'] = process.argv.slice(2);
const BATCH = 10_000;
const WARM_UPS = 3;
/** The retention policy's maximum number of rows in a table. */
const FULL_ROWS = 210_000;

const config = loadConfig({
  flags: { port: 0, httpsPort: 0, ...(database === '' ? { data: join(folder, 'data') } : { databaseUrl: database }) },
  env: {},
  cwd: '/',
});
const running = await openJar({ config, services: SERVICES, logLevel: 'error' });

async function ask(method: string, path: string, token: string, body?: unknown): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(running.url + path, { method, headers, body: sent });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${text}`);
  return text;
}

const limits = ['rows-per-hour', 'pushes-per-minute', 'pushes-per-hour', 'requests'];
const unlimited = limits.map((name) => ({ name: `datasets.${name}`, mode: 'unlimited' }));
await ask('PATCH', '/_jar/limits', running.adminKey, unlimited);
const { access_token: token } = JSON.parse(await ask('POST', '/_jar/tokens', running.adminKey, { ttl: '1d' }));

const COLUMNS = [
  ['Product', 'Int64'],
  ['Store', 'Int64'],
  ['Qty', 'Int64'],
  ['Amount', 'Double'],
  ['Kind', 'String'],
] as const;

async function createDataset(name: string, policy: string): Promise<string> {
  const columns = COLUMNS.map(([column, dataType]) => ({ name: column, dataType }));
  const body = { name, defaultMode: 'Push', tables: [{ name: 'Sale', columns }] };
  return JSON.parse(await ask('POST', `/v1.0/myorg/datasets?defaultRetentionPolicy=${policy}`, token, body)).id;
}

// Batches are generated in advance, because a real client would run on another machine.
const cells = Array.from({ length: 2 }, (_, batch) =>
  Array.from({ length: BATCH }, (_, i) => saleOf(batch * BATCH + i)),
);
const bodies = cells.map((rows) =>
  JSON.stringify({ rows: rows.map((row) => Object.fromEntries(row.map((cell, i) => [COLUMNS[i]![0], cell]))) }),
);

let most = 0;
let sent = 0;
async function push(dataset: string): Promise<void> {
  await ask('POST', `/v1.0/myorg/datasets/${dataset}/tables/Sale/rows`, token, bodies[sent++ % bodies.length]);
  most = Math.max(most, process.memoryUsage.rss());
}

const timed = async (body: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await body();
  return performance.now() - began;
};
const times = async (count: number, body: () => Promise<unknown>): Promise<void> => {
  for (let i = 0; i < count; i++) await body();
};

const bare = database === '' ? bareSqlite(join(folder, 'bare.db')) : await barePostgres(database);
const figures = { bare: [] as number[], pushed: [] as number[], plain: [] as number[], retained: [] as number[] };
const all = await createDataset('All', 'None');
for (let round = -WARM_UPS; round < Number(rounds); round++) {
  const inserted = await timed(() => times(2, () => bare.insert(cells[Math.abs(round) % cells.length]!)));
  const pushed = await timed(() => times(2, () => push(all)));
  if (round < 0) continue;
  figures.bare.push(inserted / 2);
  figures.pushed.push(pushed / 2);
}
await bare.close();

const [plain, retained] = [await createDataset('Plain', 'None'), await createDataset('Retained', 'basicFIFO')];
for (const dataset of [plain, retained]) await times(FULL_ROWS / BATCH, () => push(dataset));
for (let round = -1; round < Number(rounds); round++) {
  const without = await timed(() => times(2, () => push(plain)));
  const withPolicy = await timed(() => times(2, () => push(retained)));
  if (round < 0) continue;
  figures.plain.push(without / 2);
  figures.retained.push(withPolicy / 2);
}

const done = (Number(rounds) + WARM_UPS) * 2 * BATCH;
await times(Math.max(0, Math.ceil((Number(wanted) - done) / BATCH)), () => push(all));
await running.close();
process.send?.({ ...figures, most: most / 2 ** 20 });
process.disconnect?.();
