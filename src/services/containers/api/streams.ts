import type { Duplex } from 'node:stream';
import { EngineUnavailable, type Terminal } from '../../../kernel/engines/index.ts';
import {
  type ApiError,
  CLOSE,
  type SocketConnection,
  type SocketHead,
  type SocketMessage,
  type SocketRoute,
} from '../../../kernel/http/index.ts';
import { type Jar, socketRoute } from '../../../kernel/service/index.ts';
import { after } from '../../../kernel/time/index.ts';
import { runtimes, type Session } from '../collections.ts';
import { containerErrors } from '../errors.ts';
import type { ContainersCall, ContainersJar } from '../jar.ts';
import { describeEnd } from './describe-end.ts';
import { type ContainerParams, statusOf } from './find-container.ts';
import { findSession, redeem } from './sessions.ts';
import { ATTACH_SOCKET, EXEC_SOCKET } from './sockets.ts';

/** Real time: clients send the password by program, as it is too long to type. */
const PASSWORD_WITHIN_MS = 10_000;
/** When its container ends, a stream delivers the last output and ends by itself. A stream that does not end within this time is closed. */
const LAST_WORDS_WITHIN_MS = 1_000;

type StreamCall = ContainersCall<ContainerParams & { readonly subscriptionId: string; readonly sessionId: string }>;

export const streamSockets: readonly SocketRoute[] = [stream(EXEC_SOCKET, 'exec'), stream(ATTACH_SOCKET, 'attach')];

function stream(head: SocketHead, kind: Session['kind']): SocketRoute {
  return socketRoute({
    ...head,
    admit: (call: StreamCall) => admitStream(call, kind),
    open: (call: StreamCall, socket) => openStream(call, socket, kind),
  });
}

async function admitStream(call: StreamCall, kind: Session['kind']): Promise<void> {
  if (!(await findSession(call, kind))) throw noSession(call.params.sessionId);
}

async function openStream(call: StreamCall, socket: SocketConnection, kind: Session['kind']): Promise<void> {
  const session = await findSession(call, kind);
  const messages = socket.messages()[Symbol.asyncIterator]();
  if (!session || !(await isAllowed(call, socket, session, messages))) {
    socket.close(CLOSE.policy, 'the password is wrong, or the session was already used');
    return;
  }
  await serve(call.jar, socket, session, messages);
}

const noSession = (id: string): ApiError =>
  containerErrors.SessionNotFound({ session: id.slice(0, 60) }, { target: 'sessionId' });

/** True if the client sends the password, in a header of the handshake or as its first message. */
async function isAllowed(
  { jar, headers }: StreamCall,
  socket: SocketConnection,
  session: Session,
  messages: AsyncIterator<SocketMessage>,
): Promise<boolean> {
  const header = headers.authorization;
  if (typeof header === 'string' && (await redeem(jar, session, header))) return true;
  const cancel = after(PASSWORD_WITHIN_MS, () => socket.close(CLOSE.policy, 'no password was sent'));
  try {
    const { done, value } = await messages.next();
    return !done && (await redeem(jar, session, value.data.toString('utf8')));
  } finally {
    cancel();
  }
}

/** Copies bytes both ways until one side or the container ends. */
async function serve(
  jar: ContainersJar,
  socket: SocketConnection,
  session: Session,
  messages: AsyncIterator<SocketMessage>,
): Promise<void> {
  let terminal: Terminal;
  if (!(await isRunning(jar, session))) {
    socket.close(CLOSE.internal, `the container '${session.container}' is not running`);
    return;
  }
  try {
    terminal = await open(jar, session);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    socket.close(CLOSE.internal, error.message);
    return;
  }
  const { stream } = terminal;
  stream.on('error', () => {});
  const end = (): void => void stream.destroy();
  socket.closed.addEventListener('abort', end);
  if (socket.closed.aborted) end();
  const unwatch = watchContainer(jar, session, end);
  void feed(stream, messages).catch(end);
  try {
    for await (const chunk of stream) if (!(await socket.send(Buffer.from(chunk)))) break;
  } catch {
    // The stream was closed, by the client or because the container is gone.
  } finally {
    unwatch();
    end();
  }
  if (!socket.closed.aborted) socket.close(CLOSE.normal, await describeEnd(terminal, socket.closed));
}

async function open({ engine }: ContainersJar, session: Session): Promise<Terminal> {
  const { kind, uid, container, engineId, command, rows, cols } = session;
  const target = { uid, container, engineId };
  return kind === 'exec' ? engine.exec(target, { command: [command], rows, cols }) : engine.attach(target);
}

/** Applies backpressure to the client while the process does not read. */
async function feed(stream: Duplex, messages: AsyncIterator<SocketMessage>): Promise<void> {
  for (;;) {
    const { done, value } = await messages.next();
    if (done || stream.destroyed || stream.writableEnded) return;
    if (stream.write(value.data)) continue;
    await drained(stream);
  }
}

/** Resolves also if the stream is closed. */
function drained(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const proceed = (): void => {
      stream.off('drain', proceed).off('close', proceed);
      resolve();
    };
    stream.on('drain', proceed).on('close', proceed);
  });
}

/** Decided by the store, which every node sees. */
async function isRunning({ store }: Jar, { key, container, engineId }: Session): Promise<boolean> {
  const runtime = (await store.get(runtimes, key))?.value;
  const status = runtime && statusOf(runtime, container);
  return status?.engineId === engineId && status.current.kind === 'Running';
}

/** Calls `gone` when the container no longer runs according to the store, which every node sees. */
function watchContainer(jar: Jar, session: Session, gone: () => void): () => void {
  let cancel: (() => void) | undefined;
  let isOver = false;
  const look = async (): Promise<void> => {
    if (await isRunning(jar, session)) return;
    if (!isOver) cancel ??= after(LAST_WORDS_WITHIN_MS, gone);
  };
  const unsubscribe = jar.store.onCommit(({ collections }) => {
    if (collections.includes(runtimes.name)) void look().catch(() => {});
  });
  // The container may have ended between the handshake and this call.
  void look().catch(() => {});
  return () => {
    unsubscribe();
    isOver = true;
    cancel?.();
  };
}
