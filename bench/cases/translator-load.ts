import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Case } from '../lib/case.ts';
import type { DetectorOrder } from '../lib/detector-process.ts';
import { busyNote, type LoadResult, putLoadOn } from '../lib/load.ts';
import { takeTurns } from '../lib/rounds.ts';
import { MOST_TEXTS, sentences, startTranslator } from '../lib/translator.ts';

const CONNECTIONS = 8;

export const translatorLoad: Case = {
  name: 'translator-load',
  summary: `Texts a second whose language is told: by the bare detector in a loop, and by the jar in requests of ${MOST_TEXTS} sentences on ${CONNECTIONS} connections, the same sentences in both.`,
  async run({ quick, folder, say }) {
    const translator = await startTranslator(folder);
    const texts = sentences(MOST_TEXTS);
    const seconds = quick ? 1 : 4;
    const bare = startDetector();
    const loads: LoadResult[] = [];
    const load = {
      url: translator.url,
      method: 'POST',
      headers: translator.headers,
      body: translator.bodyOf(texts),
      connections: CONNECTIONS,
      seconds,
    } as const;
    await translator.detect(load.body, texts.length);
    const speeds = await takeTurns(
      quick ? 2 : 7,
      {
        bare: () => {
          say('the bare detector');
          return bare.perSecond({ texts, seconds });
        },
        jar: async () => {
          say('the jar');
          const result = await putLoadOn(translator.jar, load);
          loads.push(result);
          return result.perSecond * texts.length;
        },
      },
      { warmUps: quick ? 1 : 2 },
    );
    bare.stop();
    await translator.stop();
    return [
      {
        title: `requests of ${texts.length} sentences`,
        unit: 'texts/s',
        baseline: { name: 'bare detector', values: speeds.bare },
        subject: { name: 'jar', values: speeds.jar },
        target: { atLeast: 0.5 },
        note: busyNote({ jar: loads }),
      },
    ];
  },
};

function startDetector() {
  const child = fork(fileURLToPath(new URL('../lib/detector-process.ts', import.meta.url)), { execArgv: [] });
  return {
    perSecond: (order: DetectorOrder): Promise<number> =>
      new Promise((resolve, reject) => {
        child.once('message', (figure) => resolve(figure as number));
        child.once('exit', () => reject(new Error('the process of the detector ended')));
        child.send(order);
      }),
    stop: () => child.disconnect(),
  };
}
