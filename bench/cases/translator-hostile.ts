import type { Case, Comparison } from '../lib/case.ts';
import { type Hostile, hostileRequests, ordinaryRequest } from '../lib/hostile-texts.ts';
import { takeTurns, timed } from '../lib/rounds.ts';
import { median } from '../lib/statistics.ts';
import { MOST_CHARACTERS, MOST_TEXTS, sentences, startTranslator, type Translator } from '../lib/translator.ts';

/** Number of hostile requests in flight at any time beside the small ones. */
const AT_ONCE = 4;
const SMALL = 'Guten Morgen, wie geht es Ihnen?';

export const translatorHostile: Case = {
  name: 'translator-hostile',
  summary: `What the longest and most hostile requests for detection cost: ${MOST_CHARACTERS.toLocaleString('en')} characters each, from the first byte to the last of the answer, against as many characters of ordinary sentences; and how long a small request takes while ${AT_ONCE} hostile ones are on their way.`,
  async run({ quick, folder, say }) {
    const translator = await startTranslator(folder);
    const known = sentences(2000);
    const hostile = hostileRequests(MOST_CHARACTERS, MOST_TEXTS);
    const rounds = quick ? 3 : 15;
    const comparisons: Comparison[] = [];
    for (const each of hostile) {
      say(each.title);
      comparisons.push(await compare(translator, each, known, rounds));
    }
    say('small requests meanwhile');
    comparisons.push(...(await waits(translator, hostile, quick ? 10 : 60)));
    await translator.stop();
    return comparisons;
  },
};

async function compare(
  { bodyOf, detect }: Translator,
  { title, texts }: Hostile,
  known: readonly string[],
  rounds: number,
): Promise<Comparison> {
  const bodies = { ordinary: bodyOf(ordinaryRequest(known, MOST_CHARACTERS, texts.length)), hostile: bodyOf(texts) };
  const figures = await takeTurns(
    rounds,
    {
      ordinary: () => timed(() => detect(bodies.ordinary, texts.length)),
      hostile: () => timed(() => detect(bodies.hostile, texts.length)),
    },
    { warmUps: 5 },
  );
  return {
    title,
    unit: 'ms',
    baseline: { name: 'ordinary sentences', values: figures.ordinary },
    subject: { name: 'hostile', values: figures.hostile },
    target: { atMost: 3 },
  };
}

/** Latency of small requests, alone and beside an endless stream of each kind of hostile request. */
async function waits(translator: Translator, hostile: readonly Hostile[], times: number): Promise<Comparison[]> {
  const small = translator.bodyOf([SMALL]);
  const requests = {
    'a small detection': () => translator.detect(small, 1),
    'a request that touches no text': () => translator.health(),
  };
  const alone = await timesOf(requests, times);
  const load = startLoad(translator, hostile);
  const beside = await timesOf(requests, times);
  await load.stop();
  return Object.keys(requests).map((title) => ({
    title: `${title}, meanwhile`,
    unit: 'ms',
    baseline: { name: 'alone', values: alone[title]! },
    subject: { name: `beside ${AT_ONCE} hostile requests`, values: beside[title]! },
    note: `${title}: ${short(median(beside[title]!))} ms beside hostile requests, the longest wait ${short(Math.max(...beside[title]!))} ms`,
  }));
}

async function timesOf(requests: Readonly<Record<string, () => Promise<void>>>, times: number) {
  return takeTurns(
    times,
    Object.fromEntries(Object.entries(requests).map(([title, send]) => [title, () => timed(send)])),
    { warmUps: 5 },
  );
}

function startLoad({ bodyOf, detect }: Translator, hostile: readonly Hostile[]) {
  const bodies = hostile.map(({ texts }) => ({ body: bodyOf(texts), texts: texts.length }));
  let over = false;
  const sender = async (from: number): Promise<void> => {
    for (let at = from; !over; at++) {
      const { body, texts } = bodies[at % bodies.length]!;
      await detect(body, texts);
    }
  };
  const senders = Promise.all(Array.from({ length: AT_ONCE }, (_, at) => sender(at)));
  return {
    async stop() {
      over = true;
      await senders;
    },
  };
}

const short = (ms: number): string => String(Number(ms.toPrecision(3)));
