import { Type } from 'typebox';
import {
  type AnyArmCode,
  type ArmFacts,
  beginOperation,
  endOperation,
  mutate,
  operationHeaders,
  originOf,
  type Resource,
  resources,
  withPrefix,
} from '../../../kernel/arm/index.ts';
import { created, ok } from '../../../kernel/http/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { acceptDeletion, DELETION_RESPONSES } from '../deletion.ts';
import { armCode, type EventsJar } from '../jar.ts';
import { readPartner } from '../partners/body.ts';
import { findIn, keyIn, notFound } from '../topics/find.ts';
import { NAMESPACE, POLLING } from '../versions.ts';
import { CONNECTION_BODY } from './body.ts';
import { withDecision } from './decisions.ts';
import { type Connection, connectionsOf } from './endpoints.ts';
import type { LinkedKind } from './kinds.ts';

const Text = Type.String();

const ConnectionView = Type.Object({
  id: Text,
  name: Text,
  type: Text,
  properties: Type.Object({
    privateEndpoint: Type.Object({ id: Text }),
    groupIds: Type.Array(Text),
    privateLinkServiceConnectionState: Type.Object({ status: Text, description: Text, actionsRequired: Text }),
    provisioningState: Text,
  }),
});

const PARENT = ['parentName'] as const;
const PARAMS = ['parentName', 'privateEndpointConnectionName'] as const;

const typeOf = ({ head }: LinkedKind): string => `${head.type}/privateEndpointConnections`;

function connectionView(
  kind: LinkedKind,
  parent: Resource,
  { name, endpoint, groupIds, state }: Connection,
  { prefix }: ArmFacts,
  provisioningState = 'Succeeded',
) {
  return {
    properties: {
      privateEndpoint: { id: withPrefix(endpoint.id, prefix) },
      groupIds,
      privateLinkServiceConnectionState: state,
      provisioningState,
    },
    id: `${withPrefix(parent.id, prefix)}/privateEndpointConnections/${name}`,
    name,
    type: withPrefix(typeOf(kind), prefix),
  };
}

/** `connection` is undefined if the parent does not have it; throws if the parent does not exist. */
async function find(jar: EventsJar, arm: ArmFacts, kind: LinkedKind, parentName: string, name: string) {
  const parent = await parentOf(jar, arm, kind, parentName);
  const connections = await connectionsOf(jar, parent);
  const connection = connections.find((each) => each.name.toLowerCase() === name.toLowerCase());
  return { parent, connection };
}

async function parentOf({ store }: EventsJar, arm: ArmFacts, { head }: LinkedKind, name: string): Promise<Resource> {
  const stored = await readCached(store, resources, keyIn(arm, head, name));
  if (!stored) throw notFound(arm, head.type, name);
  return stored.value;
}

/** Private endpoint connections of a topic, a domain or a partner namespace, with the decisions of its owner. */
export const connectionCode = (kind: LinkedKind): Readonly<Record<'list' | 'get' | 'put' | 'remove', AnyArmCode>> => ({
  list: armCode(PARENT, {
    responses: { 200: Type.Object({ value: Type.Array(ConnectionView) }) },
    async handle({ jar, params }, arm) {
      const parent = await parentOf(jar, arm, kind, params.parentName);
      const connections = await connectionsOf(jar, parent);
      return ok({ value: connections.map((each) => connectionView(kind, parent, each, arm)) });
    },
  }),
  get: armCode(PARAMS, {
    responses: { 200: ConnectionView },
    async handle({ jar, params }, arm) {
      const { parentName, privateEndpointConnectionName: name } = params;
      const { parent, connection } = await find(jar, arm, kind, parentName, name);
      if (!connection) throw notFound(arm, typeOf(kind), `${parentName}/${name}`);
      return ok(connectionView(kind, parent, connection, arm));
    },
  }),
  put: armCode(PARAMS, {
    body: CONNECTION_BODY.schema(),
    responses: { 201: ConnectionView },
    async handle(call, arm) {
      const { jar, params } = call;
      const { parentName, privateEndpointConnectionName: name } = params;
      const sent = readPartner(CONNECTION_BODY, call, arm, call.body).properties.privateLinkServiceConnectionState;
      const { parent, connection } = await find(jar, arm, kind, parentName, name);
      if (!connection) throw notFound(arm, typeOf(kind), `${parentName}/${name}`);
      const { status, description = connection.state.description, actionsRequired = 'None' } = sent;
      const state = { status, description, actionsRequired };
      const operation = await mutate(call, async (tx) => {
        const { key, resource } = await findIn(tx, arm, kind.head, parentName, 'update');
        await tx.put(resources, key, withDecision(resource, connection.endpoint, state));
        const now = jar.clock.now();
        const { subscriptionId, location = '' } = resource;
        const about = { subscriptionId, location, namespace: NAMESPACE, origin: originOf(call) };
        const begun = await beginOperation(tx, about, now);
        await endOperation(tx, begun.id, { status: 'Succeeded' }, now);
        return begun;
      });
      const view = connectionView(kind, parent, { ...connection, state }, arm, 'Updating');
      return created(view, operationHeaders(call, operation, 'status', POLLING));
    },
  }),
  remove: armCode(PARAMS, {
    responses: DELETION_RESPONSES,
    async handle(call, arm) {
      const { parentName, privateEndpointConnectionName: name } = call.params;
      const { connection } = await find(call.jar, arm, kind, parentName, name);
      return acceptDeletion(call, arm, async (tx) => {
        if (!connection) return undefined;
        const { key, resource } = await findIn(tx, arm, kind.head, parentName, 'update');
        await tx.put(resources, key, withDecision(resource, connection.endpoint, 'removed'));
        return { location: resource.location ?? '' };
      });
    },
  }),
});
