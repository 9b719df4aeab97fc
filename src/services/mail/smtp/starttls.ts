import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { after } from '../../../kernel/time/index.ts';
import type { SmtpServerOptions } from './types.ts';

type ContextFor = NonNullable<SmtpServerOptions['secureContext']>;

/** Speaks TLS on a connection from the next byte on; undefined where the handshake fails, which ends the connection. */
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
  // Connections may be half open, so that the end of one side does not end them; in a handshake it does.
  secure.once('end', fail);
  secure.once('secure', () => {
    cancel();
    secure.off('end', fail);
    resolve(secure);
  });
  // Errors are followed by the end of the connection, which is all that matters.
  secure.on('error', () => {});
  secure.once('close', () => {
    cancel();
    socket.destroy();
    resolve(undefined);
  });
  return promise;
}
