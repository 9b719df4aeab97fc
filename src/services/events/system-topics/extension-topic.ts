import { Type } from 'typebox';
import {
  type AnyArmCode,
  canonicalNamespace,
  gatewayErrors,
  parseScope,
  resources,
  withPrefix,
} from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { systemTopicSources } from '../collections.ts';
import { armCode } from '../jar.ts';
import { EXTENSION_TOPIC } from './kind.ts';
import { sourceIdOf, sourceKeyOf } from './stored.ts';

/** The extension topic of a source names its system topic. */
export const getExtensionTopic: AnyArmCode = armCode(['scope'], {
  responses: {
    200: Type.Object({
      id: Type.String(),
      name: Type.String(),
      type: Type.String(),
      properties: Type.Object({ description: Type.String(), systemTopic: Type.String() }),
    }),
  },
  async handle({ jar, params }, { prefix }) {
    const { store } = jar;
    const claimed = await readCached(store, systemTopicSources, sourceKeyOf(jar, params.scope));
    const [key] = Object.values(claimed?.value.systemTopics ?? {});
    const systemTopic = key === undefined ? undefined : await readCached(store, resources, key);
    const type = withPrefix(EXTENSION_TOPIC.type, prefix);
    if (!systemTopic) {
      const { resourceGroup = '' } = parseScope(params.scope);
      throw gatewayErrors.ResourceNotFound({ type, name: 'default', group: resourceGroup });
    }
    const { id, name } = systemTopic.value;
    const source = sourceIdOf(params.scope).replaceAll(
      /(\/providers\/)([^/]+)/gi,
      (_, before: string, namespace: string) =>
        before + withPrefix(canonicalNamespace(namespace, jar.config.namespace), prefix),
    );
    return ok({
      properties: { description: `The source of the system topic ${name}.`, systemTopic: withPrefix(id, prefix) },
      id: `${source}/providers/${type}/default`,
      name: 'default',
      type,
    });
  },
});
