import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openClock } from '../../../src/kernel/clock/clock.ts';
import type { JarClock } from '../../../src/kernel/clock/types.ts';
import type { Store } from '../../../src/kernel/store/types.ts';
import { pause } from '../../../src/kernel/time/timers.ts';
import { eventually } from '../../support/eventually.ts';
import { engines } from '../work/engines.ts';

const START = 1_000_000_000_000;
const HOUR = 3_600_000;

describe.each(engines)('$name:', ({ open }) => {
  let store: Store;
  const clocks: JarClock[] = [];

  beforeEach(async (context) => {
    store = await open(context);
  });

  async function clockOn(options: { mode: JarClock['mode']; start?: number }): Promise<JarClock> {
    const clock = await openClock({ ...options, store });
    clocks.push(clock);
    return clock;
  }

  afterEach(async () => {
    for (const clock of clocks.splice(0)) clock.close();
    await store.close();
  });

  describe('a virtual clock', () => {
    test('begins at the given time and stands still', async () => {
      const clock = await clockOn({ mode: 'virtual', start: START });
      expect(clock.now()).toBe(START);
      await pause(5);
      expect(clock.now()).toBe(START);
    });

    test(`begins at the system's time when none is given`, async () => {
      const before = Date.now();
      const clock = await clockOn({ mode: 'virtual' });
      expect(clock.now()).toBeGreaterThanOrEqual(before);
      expect(clock.now()).toBeLessThanOrEqual(Date.now());
    });

    test('goes on from where it was when opened again, whatever start is given', async () => {
      const first = await clockOn({ mode: 'virtual', start: START });
      await first.moveTo(START + HOUR);
      first.close();
      expect((await clockOn({ mode: 'virtual' })).now()).toBe(START + HOUR);
      expect((await clockOn({ mode: 'virtual', start: 5 })).now()).toBe(START + HOUR);
    });

    test('never moves backwards', async () => {
      const clock = await clockOn({ mode: 'virtual', start: START });
      await clock.moveTo(START + HOUR);
      await clock.moveTo(START);
      expect(clock.now()).toBe(START + HOUR);
    });

    test('is back at its beginning after a reset, also when opened again', async () => {
      const clock = await clockOn({ mode: 'virtual', start: START });
      await clock.moveTo(START + HOUR);
      expect(await clock.reset()).toBe(START);
      expect(clock.now()).toBe(START);
      expect(clock.epoch).toBe(1);
      expect((await clockOn({ mode: 'virtual' })).now()).toBe(START);
    });

    test('is reset with the transaction it is reset in, or not at all', async () => {
      const clock = await clockOn({ mode: 'virtual', start: START });
      await clock.moveTo(START + HOUR);
      const failing = store.transact(async (tx) => {
        await clock.reset(tx);
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(clock.now()).toBe(START + HOUR);
      await store.wipe(async (tx) => {
        expect(await clock.reset(tx)).toBe(START);
      });
      expect(clock.now()).toBe(START);
    });

    test('is followed by every other clock on the store', async () => {
      const one = await clockOn({ mode: 'virtual', start: START });
      const other = await clockOn({ mode: 'virtual' });
      const moved = vi.fn();
      other.onMove(moved);
      await one.moveTo(START + HOUR);
      await eventually(() => expect(other.now()).toBe(START + HOUR));
      await one.reset();
      await eventually(() => expect(other.now()).toBe(START));
      expect(moved).toHaveBeenCalledTimes(2);
    });

    test('runs the callbacks it passes in order of time, and waits for them', async () => {
      const clock = await clockOn({ mode: 'virtual', start: START });
      const called: string[] = [];
      clock.wakeAt(START + 20, () => void called.push('second'));
      clock.wakeAt(START + 10, async () => {
        await pause(2);
        called.push('first, slowly');
      });
      clock.wakeAt(START + 10, () => void called.push('first'));
      clock.wakeAt(START + 31, () => void called.push('later'));
      const off = clock.wakeAt(START + 15, () => void called.push('never'));
      off();
      expect(clock.nextWake()).toBe(START + 10);
      await clock.moveTo(START + 10);
      expect(called).toEqual(['first', 'first, slowly']);
      await clock.moveTo(START + 30);
      expect(called).toEqual(['first', 'first, slowly', 'second']);
      expect(clock.nextWake()).toBe(START + 31);
    });

    test('does not run a callback that another callback has cancelled', async () => {
      const clock = await clockOn({ mode: 'virtual', start: START });
      const never = vi.fn();
      clock.wakeAt(START + 10, () => off());
      const off = clock.wakeAt(START + 10, never);
      await clock.moveTo(START + 10);
      expect(never).not.toHaveBeenCalled();
    });

    test('does not go back to a position that was read before it was moved on', async () => {
      const clock = await clockOn({ mode: 'virtual', start: START });
      const held = Promise.withResolvers<void>();
      const read = store.get.bind(store);
      const late = Promise.withResolvers<void>();
      vi.spyOn(store, 'get').mockImplementationOnce(async (collection, key) => {
        const stored = await read(collection, key);
        late.resolve();
        await held.promise;
        return stored as never;
      });
      await clock.moveTo(START + HOUR);
      await late.promise;
      await clock.moveTo(START + 2 * HOUR);
      held.resolve();
      await pause(1);
      expect(clock.now()).toBe(START + 2 * HOUR);
    });

    test('calls back at once for a time that has come', async () => {
      const clock = await clockOn({ mode: 'virtual', start: START });
      await new Promise<void>((resolve) => void clock.wakeAt(START, resolve));
    });

    test('runs callbacks for a time that a reset makes unreachable', async () => {
      const clock = await clockOn({ mode: 'virtual', start: START });
      const sleeping = clock.sleep(HOUR);
      await clock.reset();
      await sleeping;
    });

    test('lets a sleeper be woken by time and by a signal', async () => {
      const clock = await clockOn({ mode: 'virtual', start: START });
      const done: string[] = [];
      const sleeping = clock.sleep(1000).then(() => done.push('slept'));
      await clock.moveTo(START + 999);
      expect(done).toEqual([]);
      await clock.moveTo(START + 1000);
      await sleeping;
      const controller = new AbortController();
      const aborted = clock.sleep(1000, controller.signal);
      controller.abort(new Error('enough'));
      await expect(aborted).rejects.toThrow('enough');
      await expect(clock.sleep(1, controller.signal)).rejects.toThrow('enough');
      expect(clock.nextWake()).toBeUndefined();
    });

    test('runs pending callbacks when it is closed', async () => {
      const clock = await clockOn({ mode: 'virtual', start: START });
      const sleeping = clock.sleep(HOUR);
      clock.close();
      await sleeping;
      await clock.sleep(HOUR);
    });

    test('survives a callback that throws, and reports the error', async () => {
      const errors: unknown[] = [];
      const clock = await openClock({ mode: 'virtual', start: START, store, onError: (error) => errors.push(error) });
      clocks.push(clock);
      clock.wakeAt(START + 1, () => {
        throw new Error('oops');
      });
      const other = vi.fn();
      clock.wakeAt(START + 1, other);
      await clock.moveTo(START + 1);
      expect(errors).toEqual([new Error('oops')]);
      expect(other).toHaveBeenCalledOnce();
    });

    test.each([Number.NaN, 1.5, Number.POSITIVE_INFINITY, 9e15])('refuses to start at %d', async (start) => {
      await expect(openClock({ mode: 'virtual', start, store })).rejects.toThrow('a clock cannot start at');
    });
  });

  describe('a shifted clock', () => {
    test('runs with the system and is ahead of it by what it was moved', async () => {
      const clock = await clockOn({ mode: 'shifted' });
      expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
      const target = clock.now() + HOUR;
      await clock.moveTo(target);
      expect(clock.now()).toBeGreaterThanOrEqual(target);
      expect(clock.now() - target).toBeLessThan(HOUR / 2);
      const then = clock.now();
      await eventually(() => expect(clock.now()).toBeGreaterThan(then));
    });

    test('keeps its shift when opened again, and shares it with every other clock on the store', async () => {
      const one = await clockOn({ mode: 'shifted' });
      const other = await clockOn({ mode: 'shifted' });
      const target = one.now() + HOUR;
      await one.moveTo(target);
      await eventually(() => expect(other.now()).toBeGreaterThanOrEqual(target));
      expect((await clockOn({ mode: 'shifted' })).now()).toBeGreaterThanOrEqual(target);
      await other.reset();
      await eventually(() => expect(one.now()).toBeLessThan(target));
    });

    test('never goes backwards while several nodes move it', async () => {
      const one = await clockOn({ mode: 'shifted' });
      const other = await clockOn({ mode: 'shifted' });
      const start = one.now();
      const seen: number[] = [];
      const watching = { on: true };
      const watch = (): void => {
        seen.push(one.now());
        if (watching.on) setImmediate(watch);
      };
      watch();
      const hours = [3, 9, 1, 7, 5, 8, 2, 6, 4];
      await Promise.all(hours.map((hour, i) => (i % 2 ? one : other).moveTo(start + hour * HOUR)));
      await eventually(() => expect(one.now()).toBeGreaterThanOrEqual(start + 9 * HOUR));
      watching.on = false;
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    });

    test('calls back when time gets there by itself and when it is moved there', async () => {
      const clock = await clockOn({ mode: 'shifted' });
      const start = clock.now();
      await clock.sleep(20);
      expect(clock.now()).toBeGreaterThanOrEqual(start + 20);
      const sleeping = clock.sleep(HOUR);
      await clock.moveTo(start + HOUR / 2);
      await clock.moveTo(start + 2 * HOUR);
      await sleeping;
    });

    test('resets its timer when a move brings an awaited time closer', async () => {
      const clock = await clockOn({ mode: 'shifted' });
      const start = clock.now();
      const sleeping = clock.sleep(HOUR);
      await clock.moveTo(start + HOUR - 50);
      await sleeping;
      expect(clock.now()).toBeGreaterThanOrEqual(start + HOUR);
    });
  });

  describe('a system clock', () => {
    test('shows the time of the system, wakes, and refuses to be moved with the reason', async () => {
      const clock = await clockOn({ mode: 'system' });
      expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
      await clock.sleep(5);
      await expect(clock.moveTo(clock.now() + 1)).rejects.toThrow(`the clock is the system's and cannot be moved`);
      await clock.reset();
    });
  });
});
