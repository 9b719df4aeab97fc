import { type Caller, type User, users } from '../../../kernel/auth/index.ts';
import type { Answer } from '../../../kernel/http/index.ts';
import {
  type EntityShape,
  entityShape,
  type Node,
  type ODataSet,
  odataEntity,
  odataPage,
  type PageRules,
  type PropertyShape,
  parseFilter,
  readQueryOptions,
  refusing,
} from '../../../kernel/odata/index.ts';
import { checkNeed } from '../access/authenticate.ts';
import { NEEDS } from '../access/scopes.ts';
import type { MailCall, RequestHead } from '../api/request.ts';
import { baseOf, codeOf, listing } from '../api/show.ts';
import { errors } from '../errors.ts';
import type { MailJar } from '../jar.ts';

/** Users of the directory, with the properties that mail clients need. */

const shown: PropertyShape = { type: 'Edm.String', filterable: false, orderable: false };

const shape: EntityShape<User> = entityShape<User>({
  name: 'user',
  collection: users,
  properties: {
    id: { type: 'Edm.String', field: 'key', ignoreCase: true },
    displayName: { type: 'Edm.String' },
    givenName: { type: 'Edm.String' },
    surname: { type: 'Edm.String' },
    mail: { type: 'Edm.String', field: 'username', ignoreCase: true },
    userPrincipalName: { type: 'Edm.String', field: 'username', ignoreCase: true },
    mailNickname: { type: 'Edm.String', field: 'alias', ignoreCase: true },
    tenantId: { type: 'Edm.String' },
    ...Object.fromEntries(
      [
        'businessPhones',
        'jobTitle',
        'mobilePhone',
        'officeLocation',
        'preferredLanguage',
        'accountEnabled',
        'userType',
      ].map((name) => [name, shown]),
    ),
  },
  scan: 'bounded',
});

/** Shown only if `$select` names them. */
const ON_REQUEST = ['mailNickname', 'accountEnabled', 'userType'];

function userView({ id, alias, username, displayName, givenName, surname }: User, isSelected: boolean) {
  const all = {
    businessPhones: [],
    displayName,
    givenName: givenName ?? null,
    jobTitle: null,
    mail: username,
    mobilePhone: null,
    officeLocation: null,
    preferredLanguage: null,
    surname: surname ?? null,
    userPrincipalName: username,
    id,
    mailNickname: alias,
    accountEnabled: true,
    userType: 'Member',
  };
  return isSelected ? all : Object.fromEntries(Object.entries(all).filter(([name]) => !ON_REQUEST.includes(name)));
}

const userSet = (head: RequestHead): ODataSet<User> => {
  const isSelected = Object.keys(head.query).some((name) => /^\$?select$/i.test(name));
  return {
    shape,
    name: 'users',
    base: baseOf(head),
    order: [{ field: 'username' }],
    view: ({ value }) => userView(value, isSelected),
    codeOf,
  };
};

/** `GET /me` and `GET /users/{id}` */
export async function getUser(call: MailCall): Promise<Answer> {
  const value = await call.jar.directory.user(call.mailbox.id);
  if (!value) throw errors.ErrorInvalidUser({ user: call.mailbox.address });
  return odataEntity(listing(call), userSet(call), { key: value.id, etag: '', value });
}

const PAGE: PageRules = { size: 100, most: 999, top: 'page' };

export const isUsersList = ({ method, path }: RequestHead): boolean => method === 'GET' && /^users\/?$/i.test(path);

/** `GET /users`: the users of the caller's tenant. It does not belong to a mailbox, so it is not in the table of operations. */
export function listUsers(jar: MailJar, caller: Caller, head: RequestHead): Promise<Answer> {
  checkNeed(caller, NEEDS.usersRead);
  return directoryPage(jar, head, userSet(head), ownTenant(caller));
}

/** Filter for users of the caller's tenant. */
export const ownTenant = ({ tenantId }: Caller): string => `tenantId eq '${tenantId.replaceAll("'", "''")}'`;

/** A page of users that match a condition, in addition to the client's filter. */
export function directoryPage(
  jar: MailJar,
  head: RequestHead,
  set: ODataSet<User>,
  condition: string,
): Promise<Answer> {
  return refusing(() => {
    const { filter } = readQueryOptions(head.query);
    const kept = Object.entries(head.query).filter(([name]) => !/^\$?filter$/i.test(name));
    const path = `/${head.version}/${head.path}`;
    const url = `${path}${head.search === '' ? '' : `?${head.search}`}`;
    const query = { ...Object.fromEntries(kept), $filter: filter ?? condition };
    // The condition is combined with the parsed filter: if it were joined as text, a filter with a closing parenthesis could bypass it.
    const rewrite = (node: Node): Node => ({
      kind: 'junction',
      operator: 'and',
      args: [node, parseFilter(condition)],
      at: 0,
    });
    return odataPage({ ...head, jar, path, url, query }, { ...set, rewrite }, PAGE);
  }, codeOf);
}
