import { expect, onTestFinished, test } from 'vitest';
import { untilEnded } from '../../src/cli/until-ended.ts';

/** Returns the listeners that were added since; they are removed at the end of the test. */
function added(signal: NodeJS.Signals): () => NodeJS.SignalsListener[] {
  const before = new Set(process.listeners(signal));
  const now = () => process.listeners(signal).filter((each) => !before.has(each)) as NodeJS.SignalsListener[];
  onTestFinished(() => {
    for (const each of now()) process.off(signal, each);
  });
  return now;
}

test('a second Ctrl-C, as of npx that passes it on, does not kill a command that is about to end', async () => {
  const listeners = [added('SIGINT'), added('SIGTERM')];
  await untilEnded(async (ends) => {
    for (const each of listeners.flatMap((of) => of())) each('SIGINT');
    expect(ends.aborted).toBe(true);
    ends.throwIfAborted();
  });
  expect(listeners.map((of) => of().length)).toEqual([1, 1]);
});

test('work that ends by itself leaves the signals as they were, and its failure is told', async () => {
  const listeners = [added('SIGINT'), added('SIGTERM')];
  await expect(untilEnded(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(listeners.map((of) => of().length)).toEqual([0, 0]);
});
