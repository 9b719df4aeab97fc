import { join } from 'node:path';
import undici from 'undici';
import type { Case, Comparison } from '../lib/case.ts';
import { type JarProcess, startJarProcess } from '../lib/contenders.ts';
import { takeTurns, timed } from '../lib/rounds.ts';

const REQUESTS = 100;
const API = '/api/v2.0';
/** The number of requests of one user that the application processes concurrently. */
const AT_ONCE = 5;

export const businessBatch: Case = {
  name: 'business-batch',
  summary: `${REQUESTS} requests to the business application, from the first byte to the last answer: new customers, each on disk before it is answered, and reads of one customer each; sent one after another on one connection that stays open, and as one batch.`,
  async run({ quick, folder, say }) {
    const jar = await startJarProcess(join(folder, 'jar'), ['--clock', 'virtual']);
    const client = await clientOf(jar);
    const rounds = quick ? 3 : 15;
    const compare = async (title: string, one: (n: number) => Item, atLeast?: number): Promise<Comparison> => {
      say(title);
      let sent = 0;
      const next = (): Item[] => Array.from({ length: REQUESTS }, () => one(sent++));
      const figures = await takeTurns(
        rounds,
        {
          single: () => timed(() => client.oneByOne(next())),
          batch: () => timed(() => client.inOne(next())),
        },
        { warmUps: quick ? 2 : 5 },
      );
      const perSecond = (values: readonly number[]) => values.map((ms) => REQUESTS / (ms / 1000));
      return {
        title,
        unit: 'requests/s',
        baseline: { name: 'one after another', values: perSecond(figures.single) },
        subject: { name: `$batch of ${REQUESTS}`, values: perSecond(figures.batch) },
        ...(atLeast !== undefined && { target: { atLeast } }),
      };
    };
    const made = await client.make();
    const reports = [
      await compare(
        'new customers',
        (n) => ({ method: 'POST', url: client.customers, body: { displayName: `Customer ${n}` } }),
        3,
      ),
      await compare('reads of a customer', () => ({ method: 'GET', url: `${client.customers}(${made})` }), 3),
      await parallel(client, rounds),
    ];
    await client.close();
    await jar.stop();
    return reports;
  },
};

interface Item {
  readonly method: 'GET' | 'POST';
  /** Relative to the API's address. */
  readonly url: string;
  readonly body?: object;
}

type Client = Awaited<ReturnType<typeof clientOf>>;

/** Compares batches with the maximum number of concurrent requests. */
async function parallel(client: Client, rounds: number): Promise<Comparison> {
  let sent = 0;
  const next = (): Item[] =>
    Array.from({ length: REQUESTS }, () => ({
      method: 'POST',
      url: client.customers,
      body: { displayName: `At once ${sent++}` },
    }));
  const figures = await takeTurns(
    rounds,
    { single: () => timed(() => client.atOnce(next())), batch: () => timed(() => client.inOne(next())) },
    { warmUps: 1 },
  );
  const perSecond = (values: readonly number[]) => values.map((ms) => REQUESTS / (ms / 1000));
  return {
    title: 'new customers, against as many at once as a user may send',
    unit: 'requests/s',
    baseline: { name: `${AT_ONCE} at once`, values: perSecond(figures.single) },
    subject: { name: `$batch of ${REQUESTS}`, values: perSecond(figures.batch) },
  };
}

async function clientOf(jar: JarProcess) {
  const token = await jar.token();
  const agent = new undici.Agent({ connections: AT_ONCE });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' };
  const ask = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await undici.request(`${jar.url}${API}/${path}`, {
      method,
      headers,
      dispatcher: agent,
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
    const json = (await answer.body.json()) as any;
    if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${JSON.stringify(json)}`);
    return json;
  };
  const send = ({ method, url, body }: Item) => ask(method, url, body);
  const { value } = await ask('GET', 'companies');
  const customers = `companies(${value[0].id})/customers`;
  return {
    customers,
    make: async (): Promise<string> => (await ask('POST', customers, { displayName: 'Read by all' })).id,
    async oneByOne(items: readonly Item[]) {
      for (const item of items) await send(item);
    },
    async atOnce(items: readonly Item[]) {
      const left = items.values();
      const worker = async (): Promise<void> => {
        for (const item of left) await send(item);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    },
    async inOne(items: readonly Item[]) {
      const { responses } = await ask('POST', '$batch', { requests: items });
      const failed = responses.find(({ status }: { status: number }) => status >= 400);
      if (failed || responses.length < items.length) throw new Error(`the batch failed: ${JSON.stringify(failed)}`);
    },
    close: () => agent.close(),
  };
}
