import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small application that uses the unmodified browser library from the package registry. */
const APPLICATION = `<!doctype html>
<meta charset="utf-8"><title>Application</title>
<p id="user"></p><p id="subscription"></p><p id="problem"></p>
<button id="sign-in">Sign in</button><button id="list">List</button><button id="forget">Forget</button><button id="sign-out">Sign out</button>
<script src="/adal.js"></script>
<script>
  const [JAR, CLIENT_ID] = location.search ? location.search.slice(1).split('&').map(decodeURIComponent) : JSON.parse(sessionStorage.settings);
  sessionStorage.settings = JSON.stringify([JAR, CLIENT_ID]);
  const context = new AuthenticationContext({
    instance: JAR + '/',
    tenant: 'common',
    clientId: CLIENT_ID,
    redirectUri: location.origin + '/',
    postLogoutRedirectUri: location.origin + '/',
    cacheLocation: 'sessionStorage',
  });
  const show = (id, text) => { document.getElementById(id).textContent = text; };
  const on = (id, action) => { document.getElementById(id).onclick = action; };
  context.handleWindowCallback();
  if (window === window.parent) {
    const user = context.getCachedUser();
    show('user', user ? user.userName : 'nobody');
    show('problem', context.getLoginError() || '');
  }
  on('sign-in', () => context.login());
  on('sign-out', () => context.logOut());
  on('forget', () => {
    context.clearCacheForResource(JAR);
    sessionStorage.removeItem('adal.access.token.key' + JAR);
    sessionStorage.removeItem('adal.expiration.key' + JAR);
  });
  on('list', () => {
    show('subscription', '');
    context.acquireToken(JAR, async (problem, token) => {
      if (!token) return show('problem', problem);
      const response = await fetch(JAR + '/subscriptions?api-version=2022-12-01', { headers: { authorization: 'Bearer ' + token } });
      const { value, error } = await response.json();
      if (error) return show('problem', error.message);
      document.getElementById('subscription').dataset.token = token;
      show('subscription', value.map((each) => each.displayName).join());
    });
  });
</script>`;

export async function serveApplication(): Promise<{ origin: string; server: Server }> {
  const library = await readFile(new URL('../../../node_modules/adal-angular/lib/adal.js', import.meta.url));
  const server = createServer((request, response) => {
    const script = request.url === '/adal.js';
    const found = script || /^\/(\?.*)?$/.test(request.url ?? '');
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
    response.writeHead(found ? 200 : 204).end(script ? library : found ? APPLICATION : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, server };
}
