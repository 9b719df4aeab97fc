import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import undici from 'undici';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { compareLoad } from '../lib/compare-load.ts';
import { startJarProcess } from '../lib/contenders.ts';
import { GROUP_BODY } from '../lib/documents.ts';
import { makeTopic } from '../lib/event-topic.ts';
import { takeTurns, timed } from '../lib/rounds.ts';
import { EVENT, startReceivers } from '../lib/sender.ts';

const CONCURRENCY = 50;
/** Number of events per call of the official publisher. */
const BATCH = 100;
const NAMES_PER_ROUND = 1_000_000;
const POLL_MS = 5;
/** The receivers are programs on this machine without certificates. */
const FLAGS = ['--allow-http-loopback'];

export const events: Case = {
  name: 'events',
  summary:
    'Events published to a topic with one subscription that takes them all: on disk before they are acknowledged, and again when they have been delivered to a receiver in a process of its own.',
  async run(context) {
    return [await published(context), await delivered(context, BATCH), await delivered(context, 1)];
  },
};

/** Measures the acknowledgement: the subscription's endpoint is down, so nothing is sent in the meantime. */
async function published(context: CaseContext): Promise<Comparison> {
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify(GROUP_BODY);
  const measured = await compareLoad(
    context,
    async (jar, bare) => {
      const receivers = await startReceivers(1);
      const topic = await makeTopic(jar, receivers.urls[0] ?? '');
      receivers.stop();
      const documents = { url: bare.url, method: 'PUT', headers: json, body, numbered: '/docs/group-{n}' } as const;
      return {
        bare: (round) => ({ ...documents, from: round * NAMES_PER_ROUND }),
        jar: () => ({ url: topic.url, method: 'POST', headers: topic.headers, body: `[${EVENT}]` }),
      };
    },
    FLAGS,
  );
  return { title: 'event published and acknowledged', unit: 'requests/s', target: { atLeast: 0.5 }, ...measured };
}

/** From the publisher's first call to the last event at the receiver, compared with a loop that posts the events there itself. */
async function delivered({ quick, folder, say }: CaseContext, batch: number): Promise<Comparison> {
  const count = quick ? 2000 : 20_000;
  const receivers = await startReceivers(1);
  const [url = ''] = receivers.urls;
  const jar = await startJarProcess(join(folder, `delivered-${batch}`), FLAGS);
  for (const name of ['events.published-events', 'events.published-bytes'])
    await jar.changeLimits({ name, mode: 'shadow' });
  const topic = await makeTopic(jar, url);
  const agent = new undici.Agent({ connections: CONCURRENCY });
  const post = async (to: string, headers: Readonly<Record<string, string>>, body: string): Promise<void> => {
    const answer = await undici.request(to, { method: 'POST', headers, body, dispatcher: agent });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`${to} answered ${answer.statusCode}`);
  };
  const body = `[${Array(batch).fill(EVENT).join(',')}]`;
  const throughJar = async (): Promise<void> => {
    const wanted = (await receivers.messages()) + count;
    await inParallel(count / batch, () => post(topic.url, topic.headers, body));
    while ((await receivers.messages()) < wanted) await pause(POLL_MS);
  };
  const straight = (): Promise<void> =>
    inParallel(count, () => post(url, { 'content-type': 'application/json' }, `[${EVENT}]`));
  const perSecond = (ms: number): number => count / (ms / 1000);
  say(`${count} events, ${batch} in a call`);
  const figures = await takeTurns(
    quick ? 2 : 5,
    { bare: async () => perSecond(await timed(straight)), jar: async () => perSecond(await timed(throughJar)) },
    { warmUps: 1 },
  );
  await agent.close();
  await jar.stop();
  receivers.stop();
  return {
    title: `event published (${batch} in a call) and delivered (one in a message)`,
    unit: 'requests/s',
    baseline: { name: 'bare undici POST loop', values: figures.bare },
    subject: { name: 'jar', values: figures.jar },
    ...(batch > 1 && { target: { atLeast: 0.35 } }),
  };
}

async function inParallel(count: number, act: () => Promise<void>): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await act();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
