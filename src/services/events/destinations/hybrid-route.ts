import type { SocketHead } from '../../../kernel/http/index.ts';

/** Where listeners of hybrid connections connect. */
export const HYBRID_SOCKET = {
  path: '/$hc/{namespace}/{connection}',
  operation: 'HybridConnections_Listen',
  summary: 'A listener of a hybrid connection',
} as const satisfies SocketHead;
