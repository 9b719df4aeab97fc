import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger, type Logger, type LogLevel } from '../../../src/kernel/telemetry/log.ts';

async function linesOf(level: LogLevel, act: (log: Logger) => void): Promise<Record<string, unknown>[]> {
  const written: string[] = [];
  const log = createLogger({ level, stream: { write: (line) => written.push(line) } });
  act(log);
  await log.flush();
  return written.map((line) => JSON.parse(line));
}

const LOG_MODULE = new URL('../../../src/kernel/telemetry/log.ts', import.meta.url).href;

const programOf = (body: string) =>
  `import { createLogger } from ${JSON.stringify(LOG_MODULE)}; const log = createLogger({ level: 'info' }); ${body}`;

const argumentsOf = (body: string) => ['--input-type=module', '-e', programOf(body)];
const runProgram = (body: string) => spawnSync(process.execPath, argumentsOf(body), { encoding: 'utf8' });

/** A pipe that takes no more until somebody reads from it. */
function fullPipe() {
  const PIPE_BYTES = 65_536;
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'pipe');
  spawnSync('mkfifo', [path]);
  const end = openSync(path, 'r+');
  writeSync(end, ' '.repeat(PIPE_BYTES));
  return { path, end };
}

describe('the log', () => {
  it('writes one JSON line per message with level, time and fields', async () => {
    const [line] = await linesOf('info', (log) => log.info({ service: 'resources', count: 3 }, 'started'));
    expect(line).toEqual({ level: 'info', time: expect.any(Number), service: 'resources', count: 3, msg: 'started' });
  });

  it('keeps lines in order, including those written while pino was loading', async () => {
    const written: string[] = [];
    const log = createLogger({ level: 'info', stream: { write: (line) => written.push(JSON.parse(line).msg) } });
    log.info('1');
    log.info('2');
    await log.flush();
    log.info('3');
    await log.flush();
    expect(written).toEqual(['1', '2', '3']);
  });

  it('leaves out what is below its level', async () => {
    const speak = (log: Logger) => {
      log.debug('d');
      log.warn('w');
      log.fatal('f');
    };
    expect((await linesOf('warn', speak)).map(({ msg }) => msg)).toEqual(['w', 'f']);
    expect(await linesOf('silent', speak)).toEqual([]);
    expect(createLogger({ level: 'warn' }).enabled('info')).toBe(false);
  });

  it('hands the fields of a parent to its children', async () => {
    const [line] = await linesOf('info', (log) => log.child({ service: 'mail' }).child({ node: 2 }).info('hello'));
    expect(line).toMatchObject({ service: 'mail', node: 2, msg: 'hello' });
  });

  it('writes an error with its type, code, stack and cause', async () => {
    const cause = Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' });
    const [line] = await linesOf('info', (log) => log.error(new TypeError('broken', { cause })));
    expect(line).toMatchObject({
      msg: 'broken',
      err: { type: 'TypeError', message: 'broken', cause: { message: 'connect refused', code: 'ECONNREFUSED' } },
    });
    expect(line?.err).toHaveProperty('stack', expect.stringContaining('log.test.ts'));
  });

  it('survives fields that refer to themselves, are deep, huge or no data at all', async () => {
    const circular: Record<string, unknown> = { big: 10n, bytes: Buffer.alloc(9), act: () => 1 };
    circular.self = circular;
    const [line] = await linesOf('info', (log) => log.info({ circular, many: Array(10_000).fill(0) }, 'odd'));
    expect(line).toMatchObject({ circular: { big: '10', bytes: '[9 bytes]' }, msg: 'odd' });
    expect(line?.many).toHaveLength(200);
  });

  it('writes to standard error, not to standard output', () => {
    const { stdout, stderr } = runProgram(`log.info('one'); await log.flush(); log.info('two');`);
    expect(stdout).toBe('');
    expect(
      stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).msg),
    ).toEqual(['one', 'two']);
  });

  it('writes JSON to a terminal with nothing in it that a terminal acts on', async () => {
    const written: string[] = [];
    const log = createLogger({
      level: 'info',
      stream: { isTTY: true, write: (line) => written.push(line) },
    });
    log.info('a\u009b31m\u202eb');
    await log.flush();
    expect(written.join('')).toMatch(/"msg":"a\\u009b31m\\u202eb"\}\n$/);
  });

  it('loses nothing when the process exits, before pino is loaded or after', () => {
    const early = runProgram(`log.info({ a: 1 }, 'early'); process.exit(3);`);
    expect(early.status).toBe(3);
    expect(JSON.parse(early.stderr)).toEqual({ level: 'info', a: 1, msg: 'early' });
    const late = runProgram(
      `log.info('first'); await log.flush(); for (let i = 0; i < 500; i++) log.info('x'); process.exit(3);`,
    );
    expect(late.stderr.trim().split('\n')).toHaveLength(501);
  });

  it.each([
    ['with nothing after it', 'setInterval(() => {}, 1000);'],
    ['before a flush ends', "await log.flush(); process.kill(process.pid, 'SIGKILL');"],
  ])('writes a line that comes while a reader holds up the write before it, %s', async (_, afterwards) => {
    const pipe = fullPipe();
    const body = `const pause = () => new Promise((done) => setTimeout(done, 200));
      log.info('is held up');
      await pause();
      log.info('the last line');
      setTimeout(() => console.log('logged'), 200);
      ${afterwards}`;
    const child = spawn(process.execPath, argumentsOf(body), { stdio: ['ignore', 'pipe', pipe.end] });
    onTestFinished(() => void child.kill('SIGKILL'));
    // Nobody reads the pipe until the last line was logged too.
    await once(child.stdout as Readable, 'data');
    closeSync(pipe.end);
    let read = '';
    for await (const chunk of createReadStream(pipe.path, 'utf8')) {
      read += chunk;
      if (read.includes('the last line')) break;
    }
    expect(read.trim().split('\n')).toHaveLength(2);
  });

  it('does not load pino before there is something to write', () => {
    const program = `log.debug('below the level');
      process.stdout.write(String(Object.keys((await import('node:module')).createRequire(${JSON.stringify(LOG_MODULE)}).cache).some((file) => file.includes('/pino/'))));`;
    expect(runProgram(program).stdout).toBe('false');
    const loaded = program
      .replace('log.debug', 'log.error')
      .replace('process.stdout', 'await log.flush(); process.stdout');
    expect(runProgram(loaded).stdout).toBe('true');
  });
});
