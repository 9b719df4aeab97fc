import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { jarFileName } from '../../src/cli/jar-file.ts';
import { startCli } from './cli.ts';

const nodeArgs = ['--import', pathToFileURL(join(import.meta.dirname, 'stray-errors.mjs')).href];

test('an unhandled rejection is logged with its details, and the jar keeps running', async () => {
  const jar = await startCli([], { nodeArgs });
  jar.kill('SIGUSR2');
  while (!jar.stderr().includes('\n')) await pause(20);
  expect(JSON.parse(jar.stderr())).toMatchObject({
    level: 'error',
    err: { message: 'a stray rejection', stack: expect.stringContaining('stray-errors.mjs') },
  });
  expect((await fetch(`${jar.url}/_jar/health`)).status).toBe(200);
  jar.kill('SIGTERM');
  expect((await jar.result).code).toBe(0);
});

test('an uncaught exception is logged with its details, and the jar closes its store and exits with 1', async () => {
  const jar = await startCli([], { nodeArgs });
  jar.kill('SIGWINCH');
  const { code, stderr } = await jar.result;
  expect(code).toBe(1);
  expect(JSON.parse(stderr)).toMatchObject({
    level: 'fatal',
    err: { message: 'a stray exception', stack: expect.stringContaining('stray-errors.mjs') },
  });
  // Closing the database merges its write-ahead log.
  expect(existsSync(join(jar.folder, 'jar.db-wal'))).toBe(false);
  expect(existsSync(join(jar.folder, jarFileName(jar.pid)))).toBe(false);
  const again = await startCli([], { folder: jar.folder });
  expect((await fetch(`${again.url}/_jar/health`)).status).toBe(200);
});
