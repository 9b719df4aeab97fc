import { expect, it } from 'vitest';
import { inTurns } from '../../../../src/services/translator/api/in-turns.ts';

/** Trace of the order: work on texts, and turns of other requests. */
async function traced(texts: readonly string[]): Promise<string> {
  let trace = '';
  let isDone = false;
  const others = (): void => {
    trace += '.';
    if (!isDone) setImmediate(others);
  };
  setImmediate(others);
  await inTurns(texts, () => {
    trace += 'x';
  });
  isDone = true;
  return trace;
}

it('other requests get turns while many texts are processed', async () => {
  const trace = await traced(new Array(100).fill('a'.repeat(500)));
  expect(trace.replaceAll('.', '')).toBe('x'.repeat(100));
  const longest = Math.max(...trace.split('.').map(({ length }) => length));
  expect(longest).toBeLessThanOrEqual(8);
});

it('many short texts count too, and few take no more than one turn', async () => {
  expect((await traced(new Array(1000).fill(''))).split('.').length).toBeGreaterThan(5);
  expect(await traced(new Array(20).fill('a'.repeat(100)))).toBe('x'.repeat(20));
});

it('other requests get turns just as often while many requests are processed concurrently', async () => {
  let inOneRound = 0;
  let most = 0;
  let isDone = false;
  const others = (): void => {
    inOneRound = 0;
    if (!isDone) setImmediate(others);
  };
  setImmediate(others);
  const request = () =>
    inTurns(new Array(20).fill('a'.repeat(500)), () => {
      most = Math.max(most, ++inOneRound);
    });
  await Promise.all(Array.from({ length: 30 }, request));
  isDone = true;
  expect(most).toBeLessThanOrEqual(8);
});

it('the results are in the order of the texts', async () => {
  const texts = Array.from({ length: 50 }, (_, index) => `${index}`.repeat(300));
  expect(await inTurns(texts, (text) => text)).toEqual(texts);
});
