import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { dist } from '../../scripts/lib/paths.mjs';
import { CommandHost } from '../support/command-host.ts';

/** What users run. The run's set-up has built it from the sources as they are; it starts in a quarter of the time that they do. */
export const MAIN = join(dist, 'cli.js');

export interface CliOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** For Node itself, in front of the program. */
  readonly nodeArgs?: readonly string[];
  /** What runs Node, such as a tracer with its arguments. */
  readonly under?: readonly string[];
  /** What it reads on stdin; nothing unless it is given. */
  readonly input?: string | Buffer;
}

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliProcess {
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  kill(signal: NodeJS.Signals): void;
  readonly result: Promise<CliResult>;
  /** Resolves with the output once it matches; rejects when the program ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
}

function inherited(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(CLOUDJAR_|NODE_(?!COMPILE_CACHE)|VITEST)/.test(name));
  // Commands look for the jar of a project up to the home folder: not beyond the folders of the tests.
  return { ...Object.fromEntries(kept), HOME: tmpdir() };
}

/** Runs the command line with nothing of this process's configuration. */
export function spawnCli(args: readonly string[], options: CliOptions = {}): CliProcess {
  const { env = {}, cwd = tmpdir(), nodeArgs = [], under = [], input } = options;
  warmUp(inherited());
  const [command = process.execPath, ...rest] = [...under, process.execPath, ...nodeArgs, MAIN, ...args];
  const child = spawn(command, rest, {
    cwd,
    env: { ...inherited(), ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // It may end before it has read everything.
  child.stdin?.on('error', () => {}).end(input);
  onTestFinished(() => void child.kill('SIGKILL'));
  return new Running(child as CliChild);
}

/**
 * What a program has compiled is kept for the next one when it ends by itself, and many here are killed. So one of them does, once in a run: with
 * a mistake, which is found when all is loaded.
 */
function warmUp(env: Record<string, string | undefined>): void {
  const cache = env.NODE_COMPILE_CACHE;
  if (cache === undefined) return;
  try {
    mkdirSync(`${cache}-warm`);
  } catch {
    return;
  }
  spawnSync(process.execPath, [MAIN, 'start', '--port', 'none'], { env, stdio: 'ignore' });
}

/** See commands-in-a-row.mjs. */
export interface Command {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

const host = new CommandHost<Command>([join(import.meta.dirname, 'commands-in-a-row.mjs'), MAIN]);

/** Commands run in a process that they share, unless they need one of their own. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { env = {}, cwd = tmpdir(), nodeArgs, under, input } = options;
  const needsOwn = args[0] === 'start' || nodeArgs || under || input !== undefined || 'NODE_EXTRA_CA_CERTS' in env;
  return needsOwn ? spawnCli(args, options).result : host.run({ args, env: { ...inherited(), ...env }, cwd });
}

type CliChild = ChildProcessByStdio<Writable | null, Readable, Readable>;

class Running implements CliProcess {
  readonly pid: number;
  readonly result: Promise<CliResult>;
  readonly #child: CliChild;
  #out = '';
  #err = '';
  #ended = false;

  constructor(child: CliChild) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#err += text;
    });
    this.result = once(child, 'close').then(([code, signal]) => {
      this.#ended = true;
      return { code: code ?? (signal as string), stdout: this.#out, stderr: this.#err } as CliResult;
    });
  }

  readonly stdout = (): string => this.#out;
  readonly stderr = (): string => this.#err;

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.#out);
      if (match) return match;
      if (this.#ended) throw new Error(`ended without ${pattern}: ${this.#out}${this.#err}`);
      await Promise.race([once(this.#child.stdout, 'data'), this.result]);
    }
  }
}

export interface StartedJar extends CliProcess {
  readonly url: string;
  readonly folder: string;
}

/** A jar on free ports in a folder of its own, unless one is given. */
export async function startCli(
  args: readonly string[] = [],
  options: CliOptions & { folder?: string } = {},
): Promise<StartedJar> {
  const { folder = temporaryFolder() } = options;
  const running = spawnCli(['start', '--port', '0', '--https-port', '0', '--data', folder, ...args], options);
  const [, url = ''] = await running.printed(/^cloudjar ready on (http:\/\/\S+)$/m);
  return Object.assign(running, { url, folder });
}

/** Gone at the end of the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const adminKey = (folder: string): string => readFileSync(join(folder, 'admin.key'), 'utf8').trim();
