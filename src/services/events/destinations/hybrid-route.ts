import { socketRoute } from '../../../kernel/http/socket-route.ts';

export const hybridSocket = socketRoute({
  path: '/$hc/{namespace}/{connection}',
  operation: 'HybridConnections_Listen',
  summary: 'A listener of a hybrid connection',
  async open() {},
});
