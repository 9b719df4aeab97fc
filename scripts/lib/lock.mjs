import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { root } from './paths.mjs';
import { localSocket } from './platform.mjs';
import { say } from './say.mjs';

let toldToWait = false;

/**
 * Runs the body while no other process holds the lock of this name in this clone. The lock is a listening socket: the system closes it when
 * its process ends for any reason, so it cannot become stale. Waiting processes hold a connection to it and continue when it closes.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function withLock(name, body) {
  const socket = socketOf(`${root}\0${name}`);
  for (;;) {
    const release = await tryHold(socket.address);
    if (release) {
      try {
        return await body();
      } finally {
        release();
      }
    }
    if (!toldToWait) say('waiting for another run in this folder to finish its set-up');
    toldToWait = true;
    await holderGone(socket);
  }
}

/** @param {string} key */
function socketOf(key) {
  const id = `cloudjar-${createHash('sha256').update(key).digest('hex').slice(0, 24)}`;
  return localSocket({ platform: process.platform, tmp: tmpdir() }, id);
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
 * @param {{ address: string, isFile: boolean }} socket
 * @returns {Promise<void>}
 */
function holderGone({ address, isFile }) {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    socket.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      // The socket file of a killed holder.
      if (error.code === 'ECONNREFUSED' && isFile) rmSync(address, { force: true });
      // The lock belongs to another user: waiting would become an endless busy loop.
      if (error.code === 'EACCES' || error.code === 'EPERM') reject(error);
    });
    socket.on('close', () => resolve());
    socket.resume();
  });
}
