import { Type } from 'typebox';
import { ok, type Route } from '../kernel/http/index.ts';
import { apisOf, route, type ServiceApi } from '../kernel/service/index.ts';
import type { Controls } from './controls.ts';

const LINKS = { health: '/_jar/health', ca: '/_jar/ca.pem' } as const;
const HELP = 'The pages of the docs folder describe it; npx cloudjar --help lists the commands.';

const View = Type.Object({
  name: Type.String(),
  version: Type.String(),
  services: Type.Array(Type.Object({ name: Type.String(), title: Type.String() })),
  links: Type.Record(Type.String(), Type.String()),
  help: Type.String(),
});

/** What somebody finds who opens the jar's address in a browser. It says nothing that is secret. */
export function landingRoute({ version, host }: Controls): Route {
  const apis = host.services.flatMap(apisOf);
  const facts = {
    name: 'cloudjar',
    version,
    services: apis.map(({ name, title }) => ({ name, title })),
    links: LINKS,
    help: HELP,
  };
  return route({
    method: 'GET',
    path: '/',
    operation: 'Jar_Landing',
    summary: 'What this is',
    open: true,
    responses: { 200: Type.Union([View, Type.String({ description: 'A page, for browsers' })]) },
    handle: ({ headers }) =>
      String(headers.accept ?? '').includes('text/html')
        ? ok(page(version, apis), {
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
          })
        : ok(facts),
  });
}

function page(version: string, services: readonly ServiceApi[]): string {
  const items = services.map(({ title }) => `<li>${escapeHtml(title)}</li>`).join('');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Cloudjar</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:3em auto;padding:0 1em;color-scheme:light dark}</style>
<h1>Cloudjar ${escapeHtml(version)}</h1>
<p>A whole vendor cloud in a jar. It runs.</p>
<ul>${items}</ul>
<p><a href="${LINKS.health}">Health</a> · <a href="${LINKS.ca}">CA certificate</a></p>
<p>${HELP}</p>
</html>
`;
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
