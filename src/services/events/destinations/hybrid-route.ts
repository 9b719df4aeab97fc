import { socketRoute } from '../../../kernel/http/socket-route.ts';

/** Where listeners of hybrid connections connect: the relay's protocol, loaded with the first of them. */
export const hybridSocket = socketRoute({
  path: '/$hc/{namespace}/{connection}',
  operation: 'HybridConnections_Listen',
  summary: 'A listener of a hybrid connection',
  admit: async (call) => (await import('./hybrid/listen.ts')).admit(call),
  open: async (call, socket) => (await import('./hybrid/listen.ts')).open(call, socket),
});
