import { execFile } from 'node:child_process';
import type { TestContext } from 'vitest';

export interface SwaksRun {
  /** 0 if the message was accepted. */
  readonly status: number;
  /** The whole conversation. */
  readonly output: string;
}

/** Skips a test if Debian's `swaks`, or its TLS support (libnet-ssleay-perl), is missing. */
export async function needSwaks(context: Pick<TestContext, 'skip'>): Promise<void> {
  const { status, output } = await swaks(['--support']);
  if (status !== 0) context.skip('swaks did not start; is it installed?');
  if (!output.includes('TLS supported')) context.skip('swaks cannot speak TLS; is libnet-ssleay-perl installed?');
}

/** Runs the command-line client until it exits. */
export function swaks(args: readonly string[], input = ''): Promise<SwaksRun> {
  return new Promise((resolve) => {
    const child = execFile('swaks', args, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ status, output: stdout + stderr });
    });
    // The program may be missing, or end without reading its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
