import type { SocketHead } from '../../../kernel/http/index.ts';
import { CONTAINER_PATH } from './paths.ts';

const PASSWORD = 'the first message is the password, unless the Authorization header contains it';

/** The WebSocket whose address `exec` returns. */
export const EXEC_SOCKET = {
  path: `${CONTAINER_PATH}/execstream/sessionId/{sessionId}`,
  operation: 'Containers_ExecStream',
  summary: `A terminal in a container: ${PASSWORD}`,
} as const satisfies SocketHead;

/** The WebSocket whose address `attach` returns. */
export const ATTACH_SOCKET = {
  path: `${CONTAINER_PATH}/logstream/sessionId/{sessionId}`,
  operation: 'Containers_LogStream',
  summary: `The output of a container: ${PASSWORD}`,
} as const satisfies SocketHead;
