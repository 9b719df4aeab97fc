import type { Json } from '../../../../kernel/values/index.ts';
import { errors } from '../../errors.ts';
import { refuseUsed } from '../core/dependants.ts';
import type { SecurableKind } from '../core/kind.ts';
import { sealAll, sealedIn } from '../core/sealed.ts';
import { membersOf, type Texts, textsIn } from '../core/texts.ts';
import { catalogOperations } from '../core/wire.ts';
import { checkNeeded, credentialTypeOf, splitOptions, urlOf } from './options.ts';
import { CONNECTION_TYPES } from './types.ts';

/** Connections to other systems, whose databases can be read as foreign catalogs. They are only stored; nothing connects. */
export const CONNECTIONS: SecurableKind = {
  type: 'connection',
  above: 'metastore',
  idField: 'connection_id',
  limits: ['connections'],
  creates: 'CREATE_CONNECTION',
  renames: true,
  fields: {
    connection_type: { type: 'string', words: Object.keys(CONNECTION_TYPES), required: true },
    options: { type: 'object', required: true },
    comment: { type: 'string', most: 65_536 },
    properties: { type: 'object' },
    read_only: { type: 'boolean', default: false },
  },
  changes: ['options', 'comment', 'read_only'],
  hooks: {
    async check(_tx, { jar, body }, { fields, extra }, before) {
      if (before && membersOf(body as Json | undefined).options === undefined)
        throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'options' });
      if (fields.properties !== undefined) textsIn('properties', membersOf(fields.properties));
      const options = textsIn('options', membersOf(fields.options));
      checkNeeded(String(fields.connection_type), options);
      const { open, secret } = splitOptions(options);
      // Secrets are never shown, so a client cannot send back unchanged ones: secrets that the request lacks are kept.
      const secrets = { ...sealedIn({ ...(extra && { extra }) }), ...sealAll(jar.vault, secret) };
      return { fields: { options: open }, extra: { secrets } };
    },
    removing: async (tx, _call, { target }) => refuseUsed(tx, target, 'Delete the foreign catalogs first.'),
  },
  view: (connection) => {
    const options = membersOf(connection.fields.options) as Texts;
    const url = urlOf(String(connection.fields.connection_type), options);
    return {
      credential_type: credentialTypeOf(new Set([...Object.keys(options), ...Object.keys(sealedIn(connection))])),
      ...(url !== undefined && { url }),
      provisioning_info: { state: 'ACTIVE' },
    };
  },
};

export const CONNECTION_OPERATIONS = catalogOperations(CONNECTIONS, {
  of: 'Connections',
  operations: 'connections',
  path: '/connections',
  array: 'connections',
});
