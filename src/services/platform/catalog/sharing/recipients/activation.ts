import { knownOrigin } from '../../../../../kernel/auth/index.ts';
import { ok, type Route } from '../../../../../kernel/http/index.ts';
import type { Reader } from '../../../../../kernel/store/index.ts';
import { isoTime } from '../../../../../kernel/time/index.ts';
import { errors } from '../../../errors.ts';
import { type PlatformCall, route, routeCode } from '../../../jar.ts';
import type { Operation } from '../../../operation.ts';
import { byId } from '../../core/chain.ts';
import { keyOf, type Securable, securables } from '../../core/securables.ts';
import { CATALOG_VERSIONS } from '../../core/wire.ts';
import { sharingActivations, sharingBearers } from '../collections.ts';
import { ACTIVATION_PAGE } from './kind.ts';
import { bearerHash, isLive, newBearer, type RecipientToken, tokensOf } from './tokens.ts';

/** Path prefix of recipients' requests. */
export const SHARING_PREFIX = '/delta-sharing';

const used = () => errors.NOT_FOUND({ reason: 'The activation link is unknown, was used before, or has expired.' });

interface Activation {
  readonly recipient: Securable;
  readonly token: RecipientToken;
}

/** The target of an activation link, or of the code in it. */
async function findActivation(reader: Reader, link: string, now: number): Promise<Activation> {
  const code = link.slice(link.lastIndexOf('?') + 1);
  const found = (await reader.get(sharingActivations, code))?.value;
  const known = found && (await byId(reader, found.recipient));
  // Read again, so that no other call takes the token meanwhile.
  const recipient = known && (await reader.get(securables, keyOf(known)))?.value;
  const token = recipient && tokensOf(recipient).find(({ id }) => id === found?.token);
  if (!recipient || !token || token.hash !== undefined || !isLive(token, now)) throw used();
  return { recipient, token };
}

/** Issues the token and invalidates the link. */
async function activate(
  call: Pick<PlatformCall, 'jar'>,
  link: string,
): Promise<{ readonly bearer: string; readonly token: RecipientToken }> {
  const bearer = newBearer();
  const token = await call.jar.store.transact(async (tx) => {
    const now = call.jar.clock.now();
    const { recipient, token: asked } = await findActivation(tx, link, now);
    const given: RecipientToken = { ...asked, hash: bearerHash(bearer), updatedAt: now };
    const tokens = tokensOf(recipient).map((each) => (each.id === given.id ? given : each));
    const target: Securable = { ...recipient, extra: { ...recipient.extra, tokens: tokens as never } };
    await tx.put(securables, keyOf(target), target);
    await tx.delete(sharingActivations, asked.code);
    await tx.put(sharingBearers, bearerHash(bearer), { recipient: recipient.id, token: given.id });
    await tx.change({
      source: 'platform',
      kind: 'activate',
      subject: `/metastores/${target.metastore}/recipient/${target.name}`,
      outcome: 'Succeeded',
      at: now,
      data: { kind: 'recipient', id: target.id },
    });
    return given;
  });
  return { bearer, token };
}

const PUBLIC = '/unity-catalog/public';

/** Operations on an activation link, which need no sign-in. */
export const ACTIVATION_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: `${PUBLIC}/data_sharing_activation/{activation_url}`,
    versions: CATALOG_VERSIONS,
    operation: 'recipientActivation_retrieveToken',
    secretBodies: true,
    summary: 'Download the credential of a recipient; works once',
    open: true,
    code: routeCode(['activation_url'], {
      async handle(call) {
        const { bearer, token } = await activate(call, call.params.activation_url);
        return ok({
          shareCredentialsVersion: 1,
          bearerToken: bearer,
          endpoint: `${knownOrigin(call)}${SHARING_PREFIX}`,
          ...(token.expiresAt !== undefined && { expirationTime: isoTime(token.expiresAt) }),
        });
      },
    }),
  },
  {
    method: 'GET',
    path: `${PUBLIC}/data_sharing_activation_info/{activation_url}`,
    versions: CATALOG_VERSIONS,
    operation: 'recipientActivation_getInfo',
    summary: 'Check whether an activation link is valid',
    open: true,
    code: routeCode(['activation_url'], {
      async handle(call) {
        await findActivation(call.jar.store, call.params.activation_url, call.jar.clock.now());
        return ok({});
      },
    }),
  },
];

/** The page of the link in a browser. The credential is fetched only by a click, since mail programs open links automatically. */
const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Credential of a share</title></head>
<body>
<h1>Download the credential</h1>
<p>The credential file lets you read what was shared with you. It can be downloaded once.</p>
<button id="get">Download credential file</button> <span id="state"></span>
<script>
document.getElementById('get').onclick = async () => {
  const code = location.search.slice(1);
  const answer = await fetch('/api/2.1/unity-catalog/public/data_sharing_activation/' + encodeURIComponent(code));
  const text = await answer.text();
  if (!answer.ok) { document.getElementById('state').textContent = JSON.parse(text).message; return; }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = 'config.share';
  link.click();
};
</script>
</body>
</html>
`;

export const ACTIVATION_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: ACTIVATION_PAGE,
    operation: 'Platform_recipientActivation_page',
    summary: 'Show the page of an activation link',
    open: true,
    produces: 'text/html',
    handle: async () => ({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
      body: PAGE,
    }),
  }),
];
