import { X509Certificate } from 'node:crypto';
import { Type } from 'typebox';
import { type Application, applications, readCertificate, sha256 } from '../kernel/auth/index.ts';
import { created, noContent, ok, type Route } from '../kernel/http/index.ts';
import { uuid } from '../kernel/ids/index.ts';
import { entityShape, listAnswer, listOf, listQuery } from '../kernel/odata/index.ts';
import { type Jar, route } from '../kernel/service/index.ts';
import { checkId, checkTenant, claimNames, directoryErrors } from './directory-rules.ts';

const Body = Type.Object(
  {
    alias: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    displayName: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    tenantId: Type.Optional(Type.String()),
    public: Type.Optional(Type.Boolean()),
    implicit: Type.Optional(Type.Boolean()),
    redirectUris: Type.Optional(Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 256 })),
    secret: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    certificates: Type.Optional(Type.Array(Type.String({ maxLength: 20_000 }), { maxItems: 10 })),
  },
  { additionalProperties: false },
);

const View = Type.Object({
  id: Type.String(),
  objectId: Type.String(),
  tenantId: Type.String(),
  alias: Type.String(),
  displayName: Type.String(),
  public: Type.Boolean(),
  implicit: Type.Boolean(),
  redirectUris: Type.Array(Type.String()),
  hasSecret: Type.Boolean(),
  certificates: Type.Array(Type.String()),
});

const shape = entityShape({
  name: 'applications',
  collection: applications,
  properties: {
    id: { type: 'Edm.String', field: 'key', ignoreCase: true },
    objectId: { type: 'Edm.String', ignoreCase: true },
    tenantId: { type: 'Edm.String', ignoreCase: true },
    alias: { type: 'Edm.String', field: 'alias', ignoreCase: true },
    displayName: { type: 'Edm.String' },
    public: { type: 'Edm.Boolean' },
    implicit: { type: 'Edm.Boolean' },
    redirectUris: { type: 'Edm.String', collection: true },
    hasSecret: { type: 'Edm.Boolean', read: ({ secretHash }: Application) => secretHash !== undefined },
  },
  scan: 'bounded',
});

export const applicationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/_jar/applications',
    operation: 'Jar_ListApplications',
    summary: 'The applications that may request tokens',
    query: listQuery(shape),
    responses: { 200: listOf(View) },
    handle: (call) => listAnswer(call, { shape, view: ({ value }) => view(value) }),
  }),
  route({
    method: 'GET',
    path: '/_jar/applications/{id}',
    operation: 'Jar_GetApplication',
    summary: 'One application, by client id or alias',
    responses: { 200: View },
    handle: async ({ jar, params }) => ok(view(await find(jar, params.id))),
  }),
  route({
    method: 'PUT',
    path: '/_jar/applications/{id}',
    operation: 'Jar_PutApplication',
    summary: 'Registers or replaces an application; a missing secret or missing certificates keep their old values',
    body: Body,
    responses: { 200: View, 201: View },
    async handle({ jar, params, body }) {
      const id = checkId(params.id);
      const {
        alias = id,
        displayName = alias,
        public: isPublic = false,
        implicit = false,
        redirectUris = [],
        secret,
      } = body;
      for (const uri of redirectUris) checkRedirectUri(uri);
      const given = body.certificates?.map(checkCertificate);
      const newObjectId = uuid();
      const { before, after } = await jar.store.transact(async (tx) => {
        await claimNames(tx, id, [alias]);
        const stored = (await tx.get(applications, id))?.value;
        const secretHash = secret === undefined ? stored?.secretHash : sha256(secret);
        const certificates = given ?? stored?.certificates ?? [];
        const application: Application = {
          id,
          objectId: stored?.objectId ?? newObjectId,
          tenantId: await checkTenant(tx, body.tenantId),
          alias,
          displayName,
          public: isPublic,
          implicit,
          redirectUris,
          ...(secretHash !== undefined && { secretHash }),
          ...(certificates.length > 0 && { certificates }),
        };
        return { before: stored, after: (await tx.put(applications, id, application)).value };
      });
      return before ? ok(view(after)) : created(view(after));
    },
  }),
  route({
    method: 'DELETE',
    path: '/_jar/applications/{id}',
    operation: 'Jar_DeleteApplication',
    summary: 'Removes an application and its grants',
    responses: { 204: 'Removed' },
    async handle({ jar, params }) {
      const { id } = await find(jar, params.id);
      await jar.store.transact((tx) => tx.delete(applications, id.toLowerCase()));
      return noContent();
    },
  }),
];

async function find(jar: Jar, name: string): Promise<Application> {
  const found = await jar.directory.findApplication(name);
  if (!found) throw directoryErrors.NoSuchApplication({ name });
  return found;
}

const view = ({ secretHash, certificates = [], ...shown }: Application): object => ({
  ...shown,
  hasSecret: secretHash !== undefined,
  certificates: certificates.map(thumbprintOf),
});

/** The thumbprint by which tools name a certificate. */
const thumbprintOf = (pem: string): string => new X509Certificate(pem).fingerprint.replaceAll(':', '');

function checkCertificate(text: string): string {
  const read = readCertificate(text);
  if ('problem' in read) throw directoryErrors.BadCertificate({ reason: read.problem }, { target: 'certificates' });
  return read.pem;
}

/** Schemes that a browser would execute or open locally instead of navigating. */
const SCRIPT_SCHEMES = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:']);

function checkRedirectUri(uri: string): void {
  const url = URL.parse(uri);
  const refuse = (reason: string) => directoryErrors.BadRedirectUri({ uri, reason }, { target: 'redirectUris' });
  if (!url || !/^[\x21-\x7e]+$/.test(uri)) throw refuse('it is not an absolute address in ASCII characters');
  if (SCRIPT_SCHEMES.has(url.protocol))
    throw refuse(`addresses with the scheme '${url.protocol}' do not lead to an application`);
  if (uri.includes('#')) throw refuse('it has a fragment, which is reserved for the tokens');
  if (url.username !== '' || url.password !== '') throw refuse('it contains a user name or a password');
}
