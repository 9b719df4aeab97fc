// The process of one detector (or of two that take turns): receives the order as a message, and sends the measurements back as one.
import type { LoadedDetector } from './detectors/detector.ts';
import { CONTENDERS } from './detectors/index.ts';
import { tallyOf } from './measured.ts';
import type { Measured, Order, Outcome } from './orders.ts';
import { type SpeedRatio, speedsInTurns, textsPerSecond } from './speed.ts';
import { mixOf } from './texts.ts';

/** Number of sentences in the mix for measuring speed. */
const MIX = 3000;

async function measure({ name, languages, quick }: Extract<Order, { task: 'measure' }>): Promise<Measured> {
  const memoryBefore = residentMemory();
  const began = performance.now();
  const detector = await load(name);
  // Some detectors load parts with the first text.
  detector.detect('The first answer.');
  const loadMs = performance.now() - began;
  const memoryMb = residentMemory() - memoryBefore;
  const tally = tallyOf(detector, languages);
  const pace = quick ? { warmUpMs: 300, rounds: 3, roundMs: 100 } : { warmUpMs: 2000, rounds: 5, roundMs: 1000 };
  return { name, tally, perSecond: textsPerSecond(detector, mixOf(languages, MIX), pace), loadMs, memoryMb };
}

async function takeTurns(order: Extract<Order, { task: 'take turns' }>): Promise<SpeedRatio> {
  const { subject, baseline, languages, quick } = order;
  const pace = quick ? { warmUpMs: 300, rounds: 5, roundMs: 100 } : { warmUpMs: 2000, rounds: 21, roundMs: 500 };
  return speedsInTurns(await load(subject), await load(baseline), mixOf(languages, MIX), pace);
}

function load(name: string): Promise<LoadedDetector> {
  const contender = CONTENDERS.find((each) => each.name === name);
  if (!contender) throw new Error(`there is no detector ${name}`);
  return contender.load();
}

/** Without garbage that can be collected. */
function residentMemory(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 1024 ** 2;
}

process.once('message', async (order: Order) => {
  const outcome: Outcome<Measured | SpeedRatio> = await (order.task === 'measure'
    ? measure(order)
    : takeTurns(order)
  ).then(
    (result) => ({ result }),
    (error: Error) => ({ failure: error.message.split('\n')[0] ?? '' }),
  );
  process.send?.(outcome, () => process.exit(0));
});
