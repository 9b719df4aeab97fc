import type { SocketHead } from '../../../kernel/http/index.ts';
import { CONTAINER_PATH } from './paths.ts';

const PASSWORD = 'the first message is the password, unless that is the Authorization header';

/** What `exec` gives the address of. */
export const EXEC_SOCKET = {
  path: `${CONTAINER_PATH}/execstream/sessionId/{sessionId}`,
  operation: 'Containers_ExecStream',
  summary: `A terminal in a container: ${PASSWORD}`,
} as const satisfies SocketHead;

/** What `attach` gives the address of. */
export const ATTACH_SOCKET = {
  path: `${CONTAINER_PATH}/logstream/sessionId/{sessionId}`,
  operation: 'Containers_LogStream',
  summary: `The output of a container: ${PASSWORD}`,
} as const satisfies SocketHead;
