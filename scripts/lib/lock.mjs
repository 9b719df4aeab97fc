import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { say } from './say.mjs';

let toldToWait = false;

/**
 * Runs the body while no other process that locks the same name in this clone does. The lock is a listening socket:
 * the system closes it with the process that holds it, however that ends, so it cannot go stale; and those who wait
 * hold a connection to it and wake when it closes.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function withLock(name, body) {
  const address = socketAddress(`${root}\0${name}`);
  for (;;) {
    const release = await tryHold(address);
    if (release) {
      try {
        return await body();
      } finally {
        release();
      }
    }
    if (!toldToWait) say('waiting for another run in this folder to finish its set-up');
    toldToWait = true;
    await holderGone(address);
  }
}

/** @param {string} key */
function socketAddress(key) {
  const id = `cloudjar-${createHash('sha256').update(key).digest('hex').slice(0, 24)}`;
  // Linux has names that are not files; elsewhere a file is left behind by a killed holder and taken over below.
  return process.platform === 'linux' ? `\0${id}` : join(tmpdir(), id);
}

/**
 * @param {string} address
 * @returns {Promise<(() => void) | undefined>}
 */
function tryHold(address) {
  return new Promise((resolve, reject) => {
    /** @type {Set<import('node:net').Socket>} */
    const waiting = new Set();
    const server = createServer((socket) => {
      waiting.add(socket);
      socket.on('error', () => {}).on('close', () => waiting.delete(socket));
    });
    server.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address, () =>
      resolve(() => {
        server.close();
        for (const socket of waiting) socket.destroy();
      }),
    );
  });
}

/**
 * @param {string} address
 * @returns {Promise<void>}
 */
function holderGone(address) {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'ECONNREFUSED' && !address.startsWith('\0')) rmSync(address, { force: true });
    });
    socket.on('close', () => resolve());
    socket.resume();
  });
}
