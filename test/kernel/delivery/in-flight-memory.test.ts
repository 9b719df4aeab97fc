import { expect, test } from 'vitest';
import { InFlightMemory } from '../../../src/kernel/delivery/in-flight-memory.ts';
import { Calls } from '../../../src/kernel/outbound/calls.ts';

test('a limited number of bytes is sent at once, further messages wait in order, and an oversized one goes alone', async () => {
  const inFlightMemory = new InFlightMemory(100);
  const calls = new Calls();
  const entered: string[] = [];
  const leave = new Map<string, () => void>();
  const enter = async (name: string, bytes: number): Promise<void> => {
    leave.set(name, await inFlightMemory.enter(bytes, calls));
    entered.push(name);
  };
  const all = [enter('a', 60), enter('b', 40), enter('huge', 1000), enter('c', 1)];
  await Promise.all(all.slice(0, 2));
  expect(entered).toEqual(['a', 'b']);
  leave.get('a')?.();
  leave.get('b')?.();
  await all[2];
  expect(entered).toEqual(['a', 'b', 'huge']);
  leave.get('huge')?.();
  await all[3];
  expect(entered).toEqual(['a', 'b', 'huge', 'c']);
});

test('a message that is cancelled while it waits makes way for those behind it', async () => {
  const inFlightMemory = new InFlightMemory(100);
  const gone = new Calls();
  const stays = new Calls();
  await inFlightMemory.enter(90, stays);
  const large = inFlightMemory.enter(50, gone);
  const small = inFlightMemory.enter(10, stays);
  gone.cancelCalls();
  await expect(large).rejects.toMatchObject({ failure: 'Aborted' });
  await small;
  await expect(inFlightMemory.enter(1000, gone)).rejects.toMatchObject({ failure: 'Aborted' });
});
