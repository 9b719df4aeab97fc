import { type Static, Type } from 'typebox';
import { knownOrigin } from '../../kernel/auth/index.ts';
import { type Answer, ok, type Route } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { findClient } from './clients.ts';
import type { Wanted } from './collections.ts';
import { beginDeviceCode, DEVICE_CODE_LIFETIME_MS, POLL_INTERVAL_SECONDS } from './device-codes.ts';
import { DEVICE_PAGE } from './device-page.ts';
import { route } from './family.ts';
import { userTarget } from './scopes.ts';
import { authorityOf } from './tenants.ts';

const text = Type.Optional(Type.String());
const Form = Type.Object({ client_id: text, scope: text, resource: text });

const Started = Type.Object({ device_code: Type.String(), user_code: Type.String(), message: Type.String() });

/** The endpoints at which a program without a browser starts a sign-in. */
export const deviceStartRoutes: readonly Route[] = [
  startAt('/{tenant}/oauth2/devicecode', '1.0', 'Identity_DeviceCode'),
  startAt('/{tenant}/oauth2/v2.0/devicecode', '2.0', 'Identity_DeviceCodeV2'),
];

function startAt(
  path: '/{tenant}/oauth2/devicecode' | '/{tenant}/oauth2/v2.0/devicecode',
  version: Wanted['version'],
  operation: string,
): Route {
  return route({
    method: 'POST',
    path,
    operation,
    summary: 'Starts the sign-in of a device: a code for the program, and one for its user',
    open: true,
    secretBodies: true,
    accepts: 'form',
    body: Form,
    traits: { cors: true },
    responses: { 200: Started },
    handle: (call) => start(call, version),
  });
}

async function start(
  call: Call<{ readonly tenant: string }, Call['query'], Static<typeof Form>>,
  version: Wanted['version'],
): Promise<Answer> {
  const authority = await authorityOf(call.jar, call.params.tenant);
  const client = await findClient(call.jar, call.body.client_id);
  const { resource, scope } = call.body;
  const wanted: Wanted = { version, resource, scope };
  // Validates the scopes now, so that the program gets errors before the user signs in.
  userTarget({ call, client, authority }, wanted);
  const { deviceCode, userCode } = await beginDeviceCode(call, {
    clientId: client.id,
    tenant: authority.segment,
    wanted,
  });
  const page = knownOrigin(call) + DEVICE_PAGE;
  const expiresIn = DEVICE_CODE_LIFETIME_MS / 1000;
  const common = { user_code: userCode, device_code: deviceCode };
  const message = `To sign in, use a web browser to open the page ${page} and enter the code ${userCode} to authenticate.`;
  // The v1 endpoint writes numbers as text.
  return version === '1.0'
    ? ok({
        ...common,
        verification_url: page,
        expires_in: String(expiresIn),
        interval: String(POLL_INTERVAL_SECONDS),
        message,
      })
    : ok({ ...common, verification_uri: page, expires_in: expiresIn, interval: POLL_INTERVAL_SECONDS, message });
}
