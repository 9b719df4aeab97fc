import type { SeedSection } from '../../kernel/service/index.ts';
import { PLATFORMS, SYSTEMS } from './apps/systems.ts';

/** The account that exists from the start; `GET /_jar/keys` shows its token. */
export const SEEDED_USER = 'admin';

const name = { type: 'string', minLength: 1, maxLength: 100 };
const anyText = { type: 'string' };
const GUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
const listOf = (properties: object, required: readonly string[]) => ({
  type: 'array',
  items: { type: 'object', additionalProperties: false, required, properties },
});
const appRole = { enum: ['manager', 'developer', 'viewer'] };

/** Written out instead of generated, because it is loaded at every start. */
const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    users: listOf(
      {
        name,
        email: anyText,
        display_name: anyText,
        token: { type: ['boolean', 'string'], minLength: 20, maxLength: 200 },
      },
      ['name', 'email'],
    ),
    organizations: listOf(
      {
        name,
        display_name: anyText,
        admin: name,
        members: listOf({ user: name, role: { enum: ['admin', 'collaborator', 'member'] } }, ['user', 'role']),
      },
      ['name', 'admin'],
    ),
    apps: listOf(
      {
        owner: name,
        maker: name,
        name,
        display_name: anyText,
        os: { enum: SYSTEMS },
        platform: { enum: PLATFORMS },
        secret: { type: 'string', pattern: GUID },
        collaborators: listOf({ user: name, role: appRole }, ['user', 'role']),
      },
      ['owner', 'name', 'os', 'platform'],
    ),
  },
};

const person = (alias: string, displayName: string, token: boolean) => ({
  name: alias,
  email: `${alias}@vendor.example`,
  display_name: displayName,
  token,
});

/** Three people, so that there is someone to invite. */
const defaults: SeedContent = {
  users: [
    person(SEEDED_USER, 'Ada Admin', true),
    person('licensed', 'Lin Licensed', false),
    person('delegated-admin', 'Dee Delegated', false),
  ],
};

export interface SeedContent {
  readonly users?: readonly {
    readonly name: string;
    readonly email: string;
    readonly display_name?: string;
    /** `true`: a generated token, the same after every reset. A text: this token. */
    readonly token?: boolean | string;
  }[];
  readonly organizations?: readonly {
    readonly name: string;
    readonly display_name?: string;
    readonly admin: string;
    readonly members?: readonly { readonly user: string; readonly role: 'admin' | 'collaborator' | 'member' }[];
  }[];
  readonly apps?: readonly {
    readonly owner: string;
    /** Apps of an organization only: the first manager. Default: the first admin. */
    readonly maker?: string;
    readonly name: string;
    readonly display_name?: string;
    readonly os: string;
    readonly platform: string;
    readonly secret?: string;
    readonly collaborators?: readonly { readonly user: string; readonly role: 'manager' | 'developer' | 'viewer' }[];
  }[];
}

export const lifecycleSeed: SeedSection = {
  schema: schema as never,
  defaults,
  async prepare(content) {
    const { applySeed } = await import('./apply-seed.ts');
    return (tx, jar, now) => applySeed(tx, content as SeedContent, jar, new Date(now).toISOString());
  },
};
