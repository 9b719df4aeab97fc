import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../src/kernel/store/types.ts';
import { pause } from '../../../src/kernel/time/timers.ts';
import { eventually } from '../../support/eventually.ts';
import { engines } from './engines.ts';
import { type Bench, type BenchOptions, bench, gate, noting, type Ran, START, scheduleAll } from './harness.ts';

const HOUR = 3_600_000;

describe.each(engines)('$name: advancing', ({ open }) => {
  const opened: { bench?: Bench; store?: Store } = {};

  beforeEach(async (context) => {
    opened.store = await open(context);
  });

  async function start(options: Omit<BenchOptions, 'store'>): Promise<Bench> {
    opened.bench = await bench({ ...options, store: opened.store! });
    return opened.bench;
  }

  afterEach(async () => {
    await opened.bench?.close();
    await opened.store?.close();
  });

  test('runs everything on the way in order of time, each at its own time', async () => {
    const ran: Ran[] = [];
    const jar = await start({ handlers: { a: noting(ran), b: noting(ran) } });
    await jar.schedule(
      { kind: 'a', dueAt: START + 3 * HOUR, payload: 4 },
      { kind: 'b', dueAt: START + HOUR, payload: 1 },
      { kind: 'a', dueAt: START + 2 * HOUR, payload: 2 },
      { kind: 'b', dueAt: START + 36 * HOUR, payload: 5 },
      { kind: 'b', dueAt: START + 2 * HOUR + 1, payload: 3 },
      { kind: 'b', dueAt: START + 36 * HOUR + 1, payload: 6 },
    );
    expect(await jar.advance('36h')).toEqual({ now: START + 36 * HOUR, fired: 5 });
    expect(ran.map((each) => each.payload)).toEqual([1, 2, 3, 4, 5]);
    for (const each of ran) expect(each.at).toBe(each.dueAt);
    expect(jar.clock.now()).toBe(START + 36 * HOUR);
    expect(await jar.advance(1)).toEqual({ now: START + 36 * HOUR + 1, fired: 1 });
  });

  test('runs work scheduled by other work on the way, at its due times', async () => {
    const ran: Ran[] = [];
    const hourly = noting(ran, async (item, jar) => {
      await scheduleAll(jar.store, [
        { kind: 'hourly', dueAt: item.dueAt + HOUR, payload: null },
        { kind: 'echo', dueAt: item.dueAt + HOUR / 2, payload: null },
      ]);
    });
    const jar = await start({ handlers: { hourly, echo: noting(ran) } });
    await jar.schedule({ kind: 'hourly', dueAt: START + HOUR, payload: null });
    expect(await jar.advance('PT4H')).toMatchObject({ fired: 7 });
    expect(ran.map((each) => [each.kind, (each.at - START) / HOUR])).toEqual([
      ['hourly', 1],
      ['echo', 1.5],
      ['hourly', 2],
      ['echo', 2.5],
      ['hourly', 3],
      ['echo', 3.5],
      ['hourly', 4],
    ]);
    for (const each of ran) expect(each.at).toBe(each.dueAt);
  });

  test('works through a chain of items at one instant, and through one for an earlier time, before going on', async () => {
    const ran: Ran[] = [];
    const chain = noting(ran, async (item, jar) => {
      const left = Number(item.payload);
      const dueAt = left === 3 ? item.dueAt - 10 : item.dueAt;
      if (left > 0) await scheduleAll(jar.store, [{ kind: left % 2 ? 'odd' : 'even', dueAt, payload: left - 1 }]);
    });
    const jar = await start({ handlers: { odd: chain, even: chain, after: noting(ran) } });
    await jar.schedule(
      { kind: 'after', dueAt: START + HOUR + 1, payload: 'after' },
      { kind: 'even', dueAt: START + HOUR, payload: 5 },
    );
    await jar.advance('2h');
    expect(ran.map((each) => [each.payload, each.at - START - HOUR])).toEqual([
      [5, 0],
      [4, 0],
      [3, 0],
      [2, 0],
      [1, 0],
      [0, 0],
      ['after', 1],
    ]);
  });

  test('waits for a handler that takes its time before it moves on', async () => {
    const ran: Ran[] = [];
    const seen: number[] = [];
    const slow = noting(ran, async (_, jar) => {
      await pause(150);
      seen.push(jar.clock.now());
    });
    const jar = await start({ handlers: { slow, next: noting(ran) } });
    await jar.schedule(
      { kind: 'slow', dueAt: START + 10, payload: null },
      { kind: 'next', dueAt: START + 11, payload: null },
    );
    await jar.advance('1s');
    expect(seen).toEqual([START + 10]);
    expect(ran.map((each) => each.at - START)).toEqual([10, 11]);
  });

  test('resolves waits for a time in order with the work', async () => {
    const ran: Ran[] = [];
    const order: string[] = [];
    const jar = await start({ handlers: { a: noting(ran, (item) => void order.push(String(item.payload))) } });
    await jar.schedule(
      { kind: 'a', dueAt: START + 10, payload: 'work' },
      { kind: 'a', dueAt: START + 30, payload: 'more' },
    );
    jar.clock.wakeAt(START + 20, async () => {
      order.push('woken');
      await scheduleAll(jar.store, [{ kind: 'a', dueAt: jar.clock.now() + 5, payload: 'set off' }]);
    });
    await jar.advance(30);
    expect(order).toEqual(['work', 'woken', 'set off', 'more']);
    for (const each of ran) expect(each.at).toBe(each.dueAt);
  });

  test('continues past a handler that itself waits for a later time', async () => {
    const ran: Ran[] = [];
    const woken: number[] = [];
    const sleeper = {
      run: async () => {
        await opened.bench?.clock.sleep(5000);
        woken.push(opened.bench!.clock.now() - START);
      },
    };
    const jar = await start({ handlers: { sleeper, other: noting(ran) } });
    await jar.schedule(
      { kind: 'sleeper', dueAt: START + 10, payload: null },
      { kind: 'other', dueAt: START + 2000, payload: null },
    );
    expect(await jar.advance('1s')).toEqual({ now: START + 1000, fired: 0 });
    expect(await jar.advance('1h')).toMatchObject({ fired: 2 });
    expect(ran.map((each) => each.at - START)).toEqual([2000]);
    expect(woken).toEqual([5010]);
  });

  test('ends with an error that names the kind when work goes round in circles at one instant', async () => {
    let on = true;
    const circle = noting([], async (item, jar) => {
      if (on) await scheduleAll(jar.store, [{ kind: 'circle', dueAt: item.dueAt, payload: null }]);
    });
    const jar = await start({ handlers: { circle }, mostRounds: 50 });
    await jar.schedule({ kind: 'circle', dueAt: START + HOUR, payload: null });
    await expect(jar.advance('2h')).rejects.toThrow(
      expect.objectContaining({
        code: 'NO_PROGRESS',
        message: expect.stringContaining(`'circle' keeps scheduling itself`),
      }),
    );
    on = false;
    expect(await jar.advance('1h')).toMatchObject({ now: START + 2 * HOUR });
  });

  test('ends with an error when a callback waits again and again for the time it is', async () => {
    const jar = await start({ handlers: {}, mostRounds: 50 });
    let on = true;
    const again = (): void => {
      if (on) jar.clock.wakeAt(jar.clock.now(), again);
    };
    jar.clock.wakeAt(START + 10, again);
    await expect(jar.advance('2h')).rejects.toThrow('a callback keeps scheduling itself without time moving on');
    on = false;
  });

  test('does not take many items at one instant for a circle', async () => {
    const jar = await start({ handlers: { a: { concurrency: 10, run: async () => {} } }, mostRounds: 20 });
    await jar.schedule(...Array.from({ length: 500 }, (_, i) => ({ kind: 'a', dueAt: START + HOUR, payload: i })));
    expect(await jar.advance('2h')).toMatchObject({ fired: 500 });
  });

  test('happens one after the other when asked for at the same time', async () => {
    const ran: Ran[] = [];
    const jar = await start({ handlers: { a: noting(ran, () => pause(1)) } });
    await jar.schedule(...[1, 2, 3, 4].map((hour) => ({ kind: 'a', dueAt: START + hour * HOUR, payload: hour })));
    const results = await Promise.all([jar.advance('1h'), jar.advance('2h'), jar.advance('1h')]);
    expect(results).toEqual([
      { now: START + HOUR, fired: 1 },
      { now: START + 3 * HOUR, fired: 2 },
      { now: START + 4 * HOUR, fired: 1 },
    ]);
    for (const each of ran) expect(each.at).toBe(each.dueAt);
  });

  test('works the same on a shifted clock', async () => {
    const ran: Ran[] = [];
    const jar = await start({ handlers: { a: noting(ran), b: noting(ran) }, mode: 'shifted' });
    const begin = jar.clock.now();
    await jar.schedule(
      { kind: 'a', dueAt: begin + 3 * HOUR, payload: 3 },
      { kind: 'b', dueAt: begin + HOUR, payload: 1 },
      { kind: 'b', dueAt: begin + 2 * HOUR, payload: 2 },
      { kind: 'b', dueAt: begin + 5 * HOUR, payload: 4 },
    );
    const { now, fired } = await jar.advance('4h');
    expect(fired).toBe(3);
    expect(now).toBeGreaterThanOrEqual(begin + 4 * HOUR);
    expect(now).toBeLessThan(begin + 5 * HOUR);
    expect(ran.map((each) => each.payload)).toEqual([1, 2, 3]);
    for (const each of ran) {
      expect(each.at).toBeGreaterThanOrEqual(each.dueAt);
      expect(each.at).toBeLessThan(each.dueAt + HOUR);
    }
  });

  test('ends with an error on a shifted clock as well when work goes round in circles', async () => {
    let on = true;
    const circle = noting([], async (_, jar) => {
      if (on) await scheduleAll(jar.store, [{ kind: 'circle', dueAt: jar.clock.now(), payload: null }]);
    });
    const jar = await start({ handlers: { circle }, mode: 'shifted', mostRounds: 50 });
    await jar.schedule({ kind: 'circle', dueAt: jar.clock.now() + HOUR, payload: null });
    await expect(jar.advance('2h')).rejects.toThrow(expect.objectContaining({ code: 'NO_PROGRESS' }));
    on = false;
    await jar.worker.idle();
  });

  test('is refused with the reason on a system clock', async () => {
    const jar = await start({ handlers: {}, mode: 'system' });
    await expect(jar.advance('1h')).rejects.toThrow(
      `the clock is the system's and cannot be moved; start with --clock shifted or --clock virtual to move it`,
    );
  });

  test('is refused for what is not a duration, and the next one works', async () => {
    const jar = await start({ handlers: {} });
    await expect(jar.advance('soon')).rejects.toThrow(`'soon' is not a duration`);
    expect(await jar.advance('1s')).toEqual({ now: START + 1000, fired: 0 });
  });

  test('ends when the clock is reset meanwhile', async () => {
    const door = gate();
    const ran: Ran[] = [];
    const jar = await start({ handlers: { a: noting(ran, () => door.passed) } });
    await jar.schedule({ kind: 'a', dueAt: START + HOUR, payload: null });
    const advancing = jar.advance('2h');
    advancing.catch(() => {});
    await eventually(() => expect(ran).toHaveLength(1));
    await jar.clock.reset();
    door.open();
    await expect(advancing).rejects.toThrow('was reset, closed or moved by another node while it was advanced');
    expect(jar.clock.now()).toBe(START);
  });

  test('leaves a clock that continues from there when it is reopened', async () => {
    const first = await start({ handlers: {} });
    await first.advance('3d');
    await first.close();
    const ran: Ran[] = [];
    opened.bench = await bench({ store: first.store, handlers: { a: noting(ran) }, start: 1 });
    expect(opened.bench.clock.now()).toBe(START + 72 * HOUR);
    await opened.bench.schedule({ kind: 'a', dueAt: START + 72 * HOUR, payload: null });
    await opened.bench.worker.idle();
    expect(ran).toHaveLength(1);
  });
});
