import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import type { Bench } from '../../../support/jars.ts';

const PROGRAM = createRequire(import.meta.url).resolve('appcenter-cli/bin/appcenter.js');

/** `--quiet` also spares every start the loading of the check for a newer release. Nobody is there to answer a prompt in any case. */
const QUIETLY = ['--disable-telemetry', '--quiet'];

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The public command-line client, unchanged and in a process of its own: it is told the address, the certificate to trust and a home
 * for its profile, and nothing else.
 */
export function commandLine(bench: Bench) {
  const home = mkdtempSync(join(tmpdir(), 'cloudjar-command-line-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  return async function run(...args: readonly string[]): Promise<Result> {
    const authority = join(home, 'ca.pem');
    writeFileSync(authority, bench.jar.ca);
    // Which service a token is for is said with the token, and remembered with it.
    const environment = args.includes('--token') ? ['--env', 'local'] : [];
    const child = spawn(process.execPath, [PROGRAM, ...args, ...environment, ...QUIETLY], {
      cwd: home,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: home,
        APPCENTER_ENDPOINT: bench.jar.httpsUrl,
        NODE_EXTRA_CA_CERTS: authority,
        NODE_COMPILE_CACHE: join(home, 'compile-cache'),
      },
    });
    const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, stdout, stderr };
  };
}
