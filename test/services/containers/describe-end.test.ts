import { describe, expect, test } from 'vitest';
import { describeEnd } from '../../../src/services/containers/api/describe-end.ts';

const somebodyListens = new AbortController().signal;

function terminalThatSays(...answers: readonly (number | undefined | Error)[]) {
  let asked = 0;
  return {
    get asked() {
      return asked;
    },
    async exitCode(): Promise<number | undefined> {
      const answer = answers[Math.min(asked++, answers.length - 1)];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

describe('how the end of a process is told to who listens to it', () => {
  test('an engine that still says it runs is asked again', async () => {
    const terminal = terminalThatSays(undefined, undefined, 4);
    expect(await describeEnd(terminal, somebodyListens)).toBe('exit code 4');
    expect(terminal.asked).toBe(3);
  });

  test('success is an exit code too', async () => {
    expect(await describeEnd(terminalThatSays(0), somebodyListens)).toBe('exit code 0');
  });

  test('an engine that fails is not asked again', async () => {
    const terminal = terminalThatSays(new Error('no such container'), 4);
    expect(await describeEnd(terminal, somebodyListens)).toBe('');
    expect(terminal.asked).toBe(1);
  });

  test('the client does not wait for an engine that never knows the exit code, or never answers', async () => {
    const terminal = terminalThatSays(undefined);
    const silent = { exitCode: () => new Promise<number>(() => {}) };
    expect(await Promise.all([describeEnd(terminal, somebodyListens), describeEnd(silent, somebodyListens)])).toEqual([
      '',
      '',
    ]);
    const asked = terminal.asked;
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(terminal.asked).toBeLessThanOrEqual(asked + 1);
  });

  test('it ends with the listener', async () => {
    const terminal = terminalThatSays(undefined);
    expect(await describeEnd(terminal, AbortSignal.abort())).toBe('');
    expect(terminal.asked).toBe(1);
  });
});
