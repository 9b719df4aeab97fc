import { describe, expect, it } from 'vitest';
import { readableStyle, styleOf } from '../../../src/kernel/telemetry/colours.ts';
import { createLogger } from '../../../src/kernel/telemetry/log.ts';

const TERMINAL = { isTTY: true, columns: 90 };
const PIPE = {};

describe('how the log is written', () => {
  it.each([
    ['auto', TERMINAL, true],
    ['auto', PIPE, false],
    ['json', TERMINAL, false],
    ['pretty', PIPE, true],
  ] as const)('%s on %j: for people is %s', (format, stream, forPeople) => {
    expect(readableStyle(format, stream, {}) !== undefined).toBe(forPeople);
  });

  it.each([
    [TERMINAL, {}, true],
    [PIPE, {}, false],
    [TERMINAL, { NO_COLOR: '1' }, false],
    [TERMINAL, { NO_COLOR: '' }, true],
    [TERMINAL, { TERM: 'dumb' }, false],
    [PIPE, { FORCE_COLOR: '1' }, true],
    [PIPE, { FORCE_COLOR: '' }, true],
    [TERMINAL, { FORCE_COLOR: '0' }, false],
    [PIPE, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('colours on %j with %j: %s', (stream, env, colours) => {
    expect(styleOf(stream, env).colours).toBe(colours);
  });

  it('fits addresses to the terminal as wide as it is at the moment, and to no other stream', () => {
    const terminal = { isTTY: true, columns: 90 };
    const style = readableStyle('auto', terminal, {});
    expect(style?.().width).toBe(90);
    terminal.columns = 120;
    expect(style?.().width).toBe(120);
    expect(styleOf({ columns: 90 }, {}).width).toBeUndefined();
  });

  it('writes lines for people in order and without secrets, including those logged while the formatter was loading', async () => {
    const written: string[] = [];
    const log = createLogger({
      level: 'info',
      stream: { write: (line) => written.push(line) },
      readable: () => ({ colours: false }),
    });
    log.warn({ token: 's3cret', file: 'a.json' }, 'first');
    log.clean('info', { service: 'mail', status: 200, ms: 3 }, 'GET /v1.0/me 200');
    log.debug('below the level');
    await log.flush();
    log.clean('debug', {}, 'below the level');
    log.child({ node: 2 }).error(new Error('password=s3cret'), 'last');
    expect(written.map((line) => line.replace(/^\d\d:\d\d:\d\d\.\d{3}/, '').split('\n')[0])).toEqual([
      '  WARN    first  token=[redacted] file=a.json',
      '  GET     200  /v1.0/me  mail  3 ms',
      '  ERROR   last  node=2 error=Error: password=[redacted]',
    ]);
    expect(written.join('')).not.toContain('s3cret');
  });
});
