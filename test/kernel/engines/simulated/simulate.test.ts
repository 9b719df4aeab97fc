import { describe, expect, it } from 'vitest';
import { simulate } from '../../../../src/kernel/engines/index.ts';

const run = (script: string) =>
  simulate({
    command: ['sh', '-c', script],
    environment: {},
    hostname: 'h',
    startedAt: 1000,
    interactive: true,
  });
const text = (script: string, most = 1_000_000): string =>
  run(script)
    .output(most)
    .map((each) => each.text)
    .join('');

describe('a simulated program', () => {
  it('has an end, what it writes until then, and the files that it leaves', () => {
    const ended = run('echo a > /tmp/a; sleep 3; echo b; exit 4');
    expect(ended.end).toEqual({ at: 4000, exitCode: 4 });
    expect(ended.output(100)).toEqual([{ at: 4000, stream: 'stdout', text: 'b\n' }]);
    expect(ended.files()).toEqual({ '/tmp/a': 'a\n' });
  });

  it('without an end shows its first minute, and no more than is asked for', () => {
    const endless = run('while true; do echo x; sleep 1; done');
    expect(endless.end).toBeUndefined();
    expect(endless.output(1000)).toHaveLength(61);
    expect(endless.output(5)).toHaveLength(3);
  });

  it('with invalid syntax is not started', () => {
    for (const [script, message] of [
      ['echo hello; sleep 15; done', 'unexpected "done"'],
      ['if true; fi', 'unexpected "fi" (expecting "then")'],
      ['while true; do echo x', 'unexpected end of file (expecting "done")'],
      ['echo a )', 'unexpected ")"'],
    ] as const) {
      expect(run(script).end).toMatchObject({ exitCode: 2 });
      expect(text(script)).toBe(`sh: syntax error: ${message}\n`);
    }
    // The unsupported construct comes first, so the shell cannot tell whether the rest is invalid.
    expect(text('echo a | cat; done')).toContain('pipes are not supported');
  });

  it('that exceeds a limit is abandoned, with its output and files so far', () => {
    const nested = 'for i in $(seq 10000); do for j in $(seq 10000); do echo $i.$j; echo $j >> /tmp/a; done; done';
    const much = run(nested);
    expect(much.end).toBeUndefined();
    expect(text(nested, 10)).toBe('1.1\n1.2\n1.3\n');
    expect(much.files()['/tmp/a']?.slice(0, 6)).toBe('1\n2\n3\n');
    expect(text('echo first; while true; do for j in $(seq 9000); do echo $j >> /tmp/a; done; done')).toBe('first\n');
  });
});
