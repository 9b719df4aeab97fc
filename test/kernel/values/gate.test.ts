import { expect, it } from 'vitest';
import { Gate, GateFullError } from '../../../src/kernel/values/gate.ts';

it('a gate limits concurrency, keeps FIFO order, and refuses tasks when its queue is full', async () => {
  const gate = new Gate({ running: 2, waiting: 2 });
  const began: number[] = [];
  const ends: (() => void)[] = [];
  const task = (number: number) =>
    gate.pass(() => {
      began.push(number);
      return new Promise<number>((resolve) => ends.push(() => resolve(number)));
    });
  const tasks = [task(0), task(1), task(2), task(3)];
  await expect(task(4)).rejects.toThrow(GateFullError);
  expect(began).toEqual([0, 1]);
  ends[1]?.();
  expect(await tasks[1]).toBe(1);
  await expect.poll(() => began).toEqual([0, 1, 2]);
  ends[0]?.();
  ends[2]?.();
  await expect.poll(() => began).toEqual([0, 1, 2, 3]);
  ends[3]?.();
  expect(await Promise.all(tasks)).toEqual([0, 1, 2, 3]);
});

it('a gate continues after a task has failed', async () => {
  const gate = new Gate({ running: 1, waiting: 1 });
  const failed = gate.pass(() => Promise.reject(new Error('on purpose')));
  const next = gate.pass(async () => 'next');
  await expect(failed).rejects.toThrow('on purpose');
  expect(await next).toBe('next');
});

it('a task that is aborted while it waits leaves the queue and never begins', async () => {
  const gate = new Gate({ running: 1, waiting: 1 });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const running = gate.pass(() => held);
  const gone = new AbortController();
  let hasBegun = false;
  const left = gate.pass(async () => {
    hasBegun = true;
  }, gone.signal);
  gone.abort();
  await expect(left).rejects.toMatchObject({ name: 'AbortError' });
  const next = gate.pass(async () => 'next', new AbortController().signal);
  release();
  await running;
  expect(await next).toBe('next');
  expect(hasBegun).toBe(false);
  await expect(gate.pass(async () => 'never', gone.signal)).rejects.toMatchObject({ name: 'AbortError' });
  expect(await gate.pass(async () => 'free')).toBe('free');
});
