import { type SocketRoute, socketRoute } from '../../../kernel/http/socket-route.ts';
import type { Session } from '../collections.ts';
import { CONTAINER_PATH } from './paths.ts';

const code = () => import('../code.ts');

/** What `exec` and `attach` give the addresses of. */
export const streamSockets: readonly SocketRoute[] = [
  stream('exec', 'execstream', 'A terminal in a container'),
  stream('attach', 'logstream', 'The output of a container'),
];

function stream(kind: Session['kind'], name: string, summary: string): SocketRoute {
  return socketRoute({
    path: `${CONTAINER_PATH}/${name}/sessionId/{sessionId}`,
    operation: kind === 'exec' ? 'Containers_ExecStream' : 'Containers_LogStream',
    summary: `${summary}: the first message is the password, unless that is the Authorization header`,
    admit: async (call) => (await code()).admitStream(call, kind),
    open: async (call, socket) => (await code()).openStream(call, socket, kind),
  });
}
