import { Type } from 'typebox';
import { ok } from '../../../kernel/http/index.ts';
import { RELAY_KEY_NAME, relayKey } from '../destinations/hybrid/token.ts';
import { routeCode } from '../jar.ts';

const ListenerView = Type.Object({
  id: Type.String(),
  namespace: Type.String(),
  connection: Type.String(),
  connectedAt: Type.String(),
  remoteAddress: Type.String(),
});

export const getRelay = routeCode([], {
  responses: {
    200: Type.Object({
      keyName: Type.String(),
      key: Type.String(),
      url: Type.String({ description: 'Address for listeners; the two names are those of the resource id' }),
      listeners: Type.Array(ListenerView),
    }),
  },
  handle: ({ jar, origin }) =>
    ok({
      keyName: RELAY_KEY_NAME,
      key: relayKey(jar),
      url: `${origin.replace(/^http/, 'ws')}/$hc/{namespace}/{connection}`,
      listeners: jar.relay.list().map(({ id, path, connectedAt, remoteAddress }) => {
        const [namespace = '', connection = ''] = path.split('/');
        return { id, namespace, connection, connectedAt: new Date(connectedAt).toISOString(), remoteAddress };
      }),
    }),
});
