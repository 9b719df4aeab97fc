import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { after } from '../../../kernel/time/index.ts';
import type { SmtpServerOptions } from './types.ts';

type ContextFor = NonNullable<SmtpServerOptions['secureContext']>;

/** Starts TLS on a connection; undefined if the handshake fails, which closes the connection. */
export function startTls(
  socket: Socket,
  context: SecureContext,
  contextFor: ContextFor,
  handshakeMs: number,
): Promise<TLSSocket | undefined> {
  const secure = new TLSSocket(socket, {
    isServer: true,
    secureContext: context,
    SNICallback: (name, done) => {
      Promise.resolve(name)
        .then(contextFor)
        .then(
          (found) => done(null, found),
          (error: Error) => done(error),
        );
    },
  });
  const { promise, resolve } = Promise.withResolvers<TLSSocket | undefined>();
  const fail = (): void => void secure.destroy();
  const cancel = after(handshakeMs, fail);
  // Connections can be half-open, so the end of one side does not end them. During a handshake it does.
  secure.once('end', fail);
  secure.once('secure', () => {
    cancel();
    secure.off('end', fail);
    resolve(secure);
  });
  // An error is followed by `close`, which is handled below.
  secure.on('error', () => {});
  secure.once('close', () => {
    cancel();
    socket.destroy();
    resolve(undefined);
  });
  return promise;
}
