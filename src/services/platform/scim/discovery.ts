import type { JsonMembers } from '../../../kernel/values/index.ts';
import { type Attribute, RESOURCE_KINDS, type ResourceKind } from './attributes.ts';
import { forbidden, missing } from './errors.ts';
import { LIST, MOST_COUNT } from './list.ts';

/** Discovery documents of SCIM: the features of the service and the schemas of its resources (RFC 7643, 5 to 7). */

const URN = 'urn:ietf:params:scim:schemas:core:2.0';

export const serviceProviderConfig = (): JsonMembers => ({
  schemas: [`${URN}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_COUNT },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'OAuth Bearer Token',
      description: 'A personal access token, an OAuth token or a token of the directory',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: 'ServiceProviderConfig' },
});

const KINDS = Object.values(RESOURCE_KINDS);

const resourceType = ({ title, path, schemas: [schema = '', ...extensions] }: ResourceKind): JsonMembers => ({
  schemas: [`${URN}:ResourceType`],
  id: title,
  name: title,
  endpoint: `/${path}`,
  description: `${title} of the account or workspace`,
  schema,
  schemaExtensions: extensions.map((each) => ({ schema: each, required: false })),
  meta: { resourceType: 'ResourceType', location: `ResourceTypes/${title}` },
});

const TYPES = { text: 'string', boolean: 'boolean', complex: 'complex', values: 'complex' } as const;

const simple = (name: string, type: string, mutability: string): JsonMembers => ({
  name,
  type,
  multiValued: false,
  required: false,
  caseExact: false,
  mutability,
  returned: 'default',
  uniqueness: 'none',
});

function attribute({ login }: ResourceKind, { name, type, subs, written }: Attribute): JsonMembers {
  const mutability = written === 'server' ? 'readOnly' : 'readWrite';
  return {
    ...simple(name, TYPES[type], mutability),
    multiValued: type === 'values',
    required: name === login && login !== 'applicationId',
    returned: name === 'id' ? 'always' : 'default',
    uniqueness: name === login || name === 'id' ? 'server' : 'none',
    ...(subs && {
      subAttributes: subs.map((sub) => simple(sub, sub === 'primary' ? 'boolean' : 'string', mutability)),
    }),
  };
}

/** Common attributes of RFC 7643, 3.1, which no schema lists. */
const COMMON: ReadonlySet<string> = new Set(['id', 'schemas', 'meta', 'externalId']);

const schema = (kind: ResourceKind): JsonMembers => ({
  schemas: [`${URN}:Schema`],
  id: kind.schemas[0] ?? '',
  name: kind.title,
  description: `${kind.title} of the account or workspace`,
  attributes: [...kind.attributes.values()]
    .filter(({ name }) => !COMMON.has(name))
    .map((each) => attribute(kind, each)),
  meta: { resourceType: 'Schema', location: `Schemas/${kind.schemas[0]}` },
});

const DOCUMENTS = { ResourceTypes: KINDS.map(resourceType), Schemas: KINDS.map(schema) } as const;

type Named = keyof typeof DOCUMENTS;

/** RFC 7644, 4: these lists cannot be filtered. */
export function listDocuments(of: Named, query: Readonly<Record<string, unknown>>): JsonMembers {
  if (query.filter !== undefined && query.filter !== '') throw forbidden(`${of} cannot be filtered.`);
  const Resources = DOCUMENTS[of];
  const { length } = Resources;
  return { schemas: [LIST], totalResults: length, startIndex: 1, itemsPerPage: length, Resources };
}

export function findDocument(of: Named, id: string): JsonMembers {
  const found = DOCUMENTS[of].find((each) => String(each.id).toLowerCase() === id.toLowerCase());
  if (!found) throw missing(of.slice(0, -1), id);
  return found;
}
