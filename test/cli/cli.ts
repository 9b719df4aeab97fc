import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { dist } from '../../scripts/lib/paths.mjs';
import { CommandHost } from '../support/command-host.ts';

/** The bundle that users run, built from the current sources by the global set-up; it starts in a quarter of the time. */
export const MAIN = join(dist, 'cli.js');

export interface CliOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** Flags of Node itself, before the program. */
  readonly nodeArgs?: readonly string[];
  /** A program that runs Node, such as a tracer, with its arguments. */
  readonly under?: readonly string[];
  /** Content of stdin; default: empty. */
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
  /** Resolves with the match once the output matches; rejects if the program ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
}

function inherited(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(CLOUDJAR_|NODE_(?!COMPILE_CACHE)|VITEST)/.test(name));
  // Commands search for a project's jar up to the home folder; this keeps them inside the tests' folders.
  return { ...Object.fromEntries(kept), HOME: tmpdir() };
}

/** Runs the command line without the configuration of this process. */
export function spawnCli(args: readonly string[], options: CliOptions = {}): CliProcess {
  const { env = {}, cwd = tmpdir(), nodeArgs = [], under = [], input } = options;
  warmUp(inherited());
  const [command = process.execPath, ...rest] = [...under, process.execPath, ...nodeArgs, MAIN, ...args];
  const child = spawn(command, rest, {
    cwd,
    env: { ...inherited(), ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // The program may end before it has read everything.
  child.stdin?.on('error', () => {}).end(input);
  onTestFinished(() => void child.kill('SIGKILL'));
  return new Running(child as CliChild);
}

/**
 * Node writes its compile cache when a program ends by itself, and many programs here are killed. So once per run one program ends by
 * itself: with an error that is raised after everything was loaded.
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

/** Commands run in a shared process, unless they need one of their own. */
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

/** A jar on free ports, by default in a folder of its own. */
export async function startCli(
  args: readonly string[] = [],
  options: CliOptions & { folder?: string } = {},
): Promise<StartedJar> {
  const { folder = temporaryFolder() } = options;
  const running = spawnCli(['start', '--port', '0', '--https-port', '0', '--data', folder, ...args], options);
  const [, url = ''] = await running.printed(/^cloudjar ready on (http:\/\/\S+)$/m);
  return Object.assign(running, { url, folder });
}

/** Removed at the end of the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloudjar-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const adminKey = (folder: string): string => readFileSync(join(folder, 'admin.key'), 'utf8').trim();
