import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { CommandHost, type Ended } from '../../../support/command-host.ts';
import type { Bench } from '../../../support/jars.ts';

const PROGRAM = createRequire(import.meta.url).resolve('appcenter-cli/bin/appcenter.js');

/** `--quiet` also skips loading the update check at every start. Prompts could not be answered anyway. */
const QUIETLY = ['--disable-telemetry', '--quiet'];

/**
 * The unmodified public command-line client in another process, configured only with the address, the certificate to trust and a home for
 * its profile. Each start loads a thousand modules, so one process runs all commands of a file, except those of `alone`: a login needs its
 * own process because it ends it.
 */
export function commandLine(bench: Bench) {
  const home = mkdtempSync(join(tmpdir(), 'cloudjar-command-line-'));
  const settings = () => {
    const authority = join(home, 'ca.pem');
    writeFileSync(authority, bench.jar.ca);
    return {
      cwd: home,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        APPCENTER_ENDPOINT: bench.jar.httpsUrl,
        NODE_EXTRA_CA_CERTS: authority,
        NODE_COMPILE_CACHE: join(home, 'compile-cache'),
      },
    };
  };
  let host: CommandHost<readonly string[]> | undefined;
  afterAll(() => {
    host?.close();
    rmSync(home, { recursive: true, force: true });
  });
  return {
    run(...args: readonly string[]): Promise<Ended> {
      host ??= new CommandHost([join(import.meta.dirname, 'commands-in-a-row.cjs'), PROGRAM], settings());
      return host.run(completed(args));
    },
    async alone(...args: readonly string[]): Promise<Ended> {
      const child = spawn(process.execPath, [PROGRAM, ...completed(args)], {
        ...settings(),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { code: await ended, stdout, stderr };
    },
  };
}

function completed(args: readonly string[]): string[] {
  // The environment is given together with the token, and stored with it.
  const environment = args.includes('--token') ? ['--env', 'local'] : [];
  return [...args, ...environment, ...QUIETLY];
}
