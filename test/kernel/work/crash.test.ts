import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { pause } from '../../../src/kernel/time/timers.ts';
import { bundled } from '../../support/bundled.ts';
import { places } from './engines.ts';
import { effects, START, scheduleAll } from './harness.ts';
import { openStore } from './open-store.ts';

const CHILD = await bundled(join(import.meta.dirname, 'crash-child.ts'));
const KILLS = process.env.CLOUDJAR_SOAK === '1' ? 50 : 3;
/** Enough items that no worker finishes before the last kill. */
const ITEMS = KILLS * 100;

interface Child {
  readonly process: ChildProcess;
  readonly lines: string[];
  readonly ended: Promise<unknown>;
}

function start(location: string): Child {
  const child = spawn(process.execPath, [CHILD, location], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const reading = createInterface({ input: child.stdout });
  reading.on('line', (line) => lines.push(line));
  const ended = Promise.all([once(reading, 'close'), once(child, 'exit')]);
  return { process: child, lines, ended };
}

/** Waits until the child has completed some items, then a random moment, and kills it. */
async function killAtRandom(child: Child): Promise<void> {
  while (child.lines.length < 5 && child.process.exitCode === null) await pause(5);
  await pause(Math.random() * 60);
  child.process.kill('SIGKILL');
  await child.ended;
}

describe.each(places)('$name:', ({ create }) => {
  test(`work survives ${KILLS} kills: every item runs, and what it commits happens once`, {
    timeout: 600_000,
  }, async (context) => {
    const place = await create(context);
    try {
      const ids = Array.from({ length: ITEMS }, (_, i) => `item-${i}`);
      const first = await openStore(place.location);
      await scheduleAll(
        first,
        ids.map((payload, i) => ({ kind: 'counted', dueAt: START - ITEMS + i, payload })),
      );
      await first.close();

      const lines: string[] = [];
      for (let kill = 0; kill < KILLS; kill += 1) {
        const child = start(place.location);
        await killAtRandom(child);
        expect(child.process.signalCode).toBe('SIGKILL');
        lines.push(...child.lines);
      }
      const last = start(place.location);
      await last.ended;
      lines.push(...last.lines);
      expect(last.lines.at(-1)).toBe('idle');

      const store = await openStore(place.location);
      const times = await Promise.all(ids.map(async (id) => (await store.get(effects, id))?.value.times));
      expect(times).toEqual(ids.map(() => 1));
      expect(await store.work.stats()).toMatchObject({ waiting: 0, leased: 0, parked: 0 });
      await store.close();
      const ran = new Set(lines.filter((line) => line.startsWith('ran ')).map((line) => line.slice(4)));
      expect(ran).toEqual(new Set(ids));
    } finally {
      await place.remove();
    }
  });
});
