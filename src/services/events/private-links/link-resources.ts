import { Type } from 'typebox';
import { type AnyArmCode, type ArmFacts, type Resource, resources, withPrefix } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { publicHost } from '../handshake/messages.ts';
import { armCode, type EventsJar } from '../jar.ts';
import { keyIn, notFound } from '../topics/find.ts';
import type { LinkedKind } from './kinds.ts';

const Text = Type.String();
const Texts = Type.Array(Text);

const LinkResourceView = Type.Object({
  id: Text,
  name: Text,
  type: Text,
  properties: Type.Object({ groupId: Text, displayName: Text, requiredMembers: Texts, requiredZoneNames: Texts }),
});

function linkResourceView({ head, group, displayName }: LinkedKind, parent: Resource, { prefix }: ArmFacts) {
  return {
    properties: {
      groupId: group,
      displayName,
      requiredMembers: [group],
      requiredZoneNames: [`privatelink.${publicHost(prefix)}`],
    },
    id: `${withPrefix(parent.id, prefix)}/privateLinkResources/${group}`,
    name: group,
    type: withPrefix(`${head.type}/privateLinkResources`, prefix),
  };
}

/** Private link resources: a topic, a domain or a partner namespace as a whole. */
export function linkResourceCode(kind: LinkedKind): Readonly<Record<'list' | 'get', AnyArmCode>> {
  const view = async ({ store }: EventsJar, arm: ArmFacts, name: string) => {
    const parent = await readCached(store, resources, keyIn(arm, kind.head, name));
    if (!parent) throw notFound(arm, kind.head.type, name);
    return linkResourceView(kind, parent.value, arm);
  };
  return {
    list: armCode(['parentName'], {
      responses: { 200: Type.Object({ value: Type.Array(LinkResourceView) }) },
      handle: async ({ jar, params }, arm) => ok({ value: [await view(jar, arm, params.parentName)] }),
    }),
    get: armCode(['parentName', 'privateLinkResourceName'], {
      responses: { 200: LinkResourceView },
      async handle({ jar, params }, arm) {
        const { parentName, privateLinkResourceName: name } = params;
        const found = await view(jar, arm, parentName);
        if (name.toLowerCase() === kind.group) return ok(found);
        throw notFound(arm, `${kind.head.type}/privateLinkResources`, `${parentName}/${name}`);
      },
    }),
  };
}
