import { connect } from 'node:net';
import { after } from '../../../kernel/time/index.ts';
import type { Connector } from './types.ts';

const LONGEST_CONNECT_MS = 30_000;
/**
 * Timeout for one address of a host name before the next is tried. Node's default of 250 ms expires before a busy process gets to check it.
 */
const ADDRESS_MS = 5000;

/** Connects over TCP, with name resolution by the system. */
export const connectDirectly: Connector = ({ host, port, timeoutMs = LONGEST_CONNECT_MS }, signal) => {
  const connectMs = Math.min(timeoutMs, LONGEST_CONNECT_MS);
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Connector>>>();
  const socket = connect({ host, port, noDelay: true, autoSelectFamilyAttemptTimeout: ADDRESS_MS });
  const fail = (error: Error): void => {
    socket.destroy();
    reject(error);
  };
  const late = Object.assign(new Error(`no connection within ${connectMs / 1000} s`), { code: 'ETIMEDOUT' });
  const cancel = after(connectMs, () => fail(late));
  const abort = (): void => fail(new Error('cancelled before it was connected'));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  socket.once('error', fail);
  socket.once('connect', () => {
    socket.off('error', fail);
    resolve(socket);
  });
  return promise.finally(() => {
    cancel();
    signal.removeEventListener('abort', abort);
  });
};
