import { join } from 'node:path';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { type JarProcess, startJarProcess } from '../lib/contenders.ts';
import { GROUP_BODY, groupAddresses } from '../lib/documents.ts';
import { takeTurns } from '../lib/rounds.ts';

const FEW = 10;
const PAGE = 10;
const AT_ONCE = 16;
const GROUP = 'bench';
const VERSION = 'api-version=2023-05-01';
const REQUESTS = { cpu: 1, memoryInGB: 1 };

/** Limits that are raised, so that all groups of the benchmark can be created. */
const LIMITS = ['containers.groups', 'containers.standard-cores', 'management.resources-of-type'].map((name) => ({
  name,
  limit: 1_000_000,
}));

export const containerGroups: Case = {
  name: 'container-groups',
  summary: `One group, and a page of ${PAGE} of them, in a jar with many simulated container groups and in one with few.`,
  async run(context) {
    const many = context.quick ? 500 : 10_000;
    const jars = [await fill(context, FEW), await fill(context, many)] as const;
    const measure = (title: string, of: (jar: Filled) => string): Promise<Comparison> =>
      compare(context, title, many, jars, of);
    const comparisons = [
      await measure('GET of a container group', ({ one }) => one()),
      await measure(`a page of ${PAGE} container groups`, ({ page }) => page),
    ];
    await Promise.all(jars.map(({ jar }) => jar.stop()));
    return comparisons;
  },
};

interface Filled {
  readonly jar: JarProcess;
  readonly headers: Readonly<Record<string, string>>;
  /** The address of a random group. */
  one(): string;
  readonly page: string;
}

/** A jar that runs this many groups. A virtual clock counts the gateway's throttles without enforcing them. */
async function fill({ folder, say }: CaseContext, count: number): Promise<Filled> {
  const jar = await startJarProcess(join(folder, String(count)), ['--clock', 'virtual', '--engine', 'simulated']);
  await jar.changeLimits(LIMITS);
  const { token, subscriptionId, of } = await groupAddresses(jar);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const put = async (url: string, body: unknown): Promise<void> => {
    const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`PUT ${url} answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  await put(jar.url + of(GROUP), GROUP_BODY);
  const type = `providers/Vendor.ContainerInstance/containerGroups`;
  const root = `${jar.url}/subscriptions/${subscriptionId}/resourceGroups/${GROUP}/${type}`;
  say(`starting ${count} container groups`);
  let next = 0;
  const maker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await put(`${root}/group-${next}?${VERSION}`, groupBody());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, maker));
  const filled = {
    jar,
    headers,
    one: () => `${root}/group-${1 + Math.floor(Math.random() * count)}?${VERSION}`,
    page: `${root}?${VERSION}&$top=${PAGE}`,
  };
  await allRunning(filled, `${root}/group-${count}?${VERSION}`);
  return filled;
}

const groupBody = (): unknown => ({
  location: 'westus',
  properties: {
    osType: 'Linux',
    containers: [{ name: 'app', properties: { image: 'app', resources: { requests: REQUESTS } } }],
  },
});

async function allRunning({ headers }: Filled, last: string): Promise<void> {
  for (;;) {
    const group = (await (await fetch(last, { headers })).json()) as { properties: { provisioningState: string } };
    if (group.properties.provisioningState === 'Succeeded') return;
  }
}

async function compare(
  { quick }: CaseContext,
  title: string,
  many: number,
  [few, full]: readonly [Filled, Filled],
  of: (jar: Filled) => string,
): Promise<Comparison> {
  const requests = quick ? 100 : 500;
  const average = async (jar: Filled): Promise<number> => {
    const began = performance.now();
    for (let i = 0; i < requests; i++) await (await fetch(of(jar), { headers: jar.headers })).arrayBuffer();
    return (performance.now() - began) / requests;
  };
  const figures = await takeTurns(quick ? 3 : 11, { few: () => average(few), full: () => average(full) });
  return {
    title,
    unit: 'ms',
    baseline: { name: `of ${FEW}`, values: figures.few },
    subject: { name: `of ${many.toLocaleString('en')}`, values: figures.full },
    target: { atMost: 2 },
  };
}
