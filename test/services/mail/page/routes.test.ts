import { expect, it } from 'vitest';
import { PAGE_APPLICATION, PAGE_SCOPE, SIGNED_IN_PATH } from '../../../../src/services/mail/page/application.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

interface Shown {
  readonly document: string;
  readonly isShortened: boolean;
}

onAnyStore('the mail page', (bench) => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${bench.jar.httpsUrl}${path}`, { headers });

  it.each(['/mail', '/mail/', '/mail/calendar', '/owa/?ItemID=x&exvsurl=1', '/MAIL/signed-in'])(
    'allows nothing but its own script and style at %s, and may not be framed',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('x-frame-options')).toBe('DENY');
      expect(response.headers.get('cache-control')).toBe('no-store');
      const policy = response.headers.get('content-security-policy') ?? '';
      for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"])
        expect(policy).toContain(part);
      const nonce = /script-src 'nonce-([\w-]{16})';/.exec(policy)?.[1];
      expect(await response.text()).toContain(`nonce="${nonce}" src="/mail/assets/mail.`);
      expect((await get(path)).headers.get('content-security-policy')).not.toBe(policy);
    },
  );

  it('has assets that never change under their names', async () => {
    const document = await (await get('/mail')).text();
    const names = Array.from(document.matchAll(/"(\/mail\/assets\/[^"]+)"/g), ([, name = '']) => name);
    expect(names).toHaveLength(2);
    for (const name of names) {
      const response = await get(name);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toContain('immutable');
      expect(response.headers.get('content-type')).toMatch(/^text\/(?:css|javascript)/);
    }
    expect((await get('/mail/assets/mail.js')).status).toBe(404);
    expect((await get('/mail/elsewhere')).headers.get('content-type')).toMatch(/^text\/html/);
  });

  it('gives bodies only to the owner of the mailbox, as JSON', async () => {
    const client = await graphClient(bench);
    const body = { contentType: 'html', content: '<p onclick="x()">Hi<img src="https://evil.example/x"></p>' };
    const { id } = await client.api('/me/messages').post({ subject: 'x', body });
    const path = `/mail/messages/${encodeURIComponent(id)}/body`;
    const asked = async (user?: string, scope?: string) =>
      get(path, user ? { authorization: `Bearer ${await bench.jar.token({ user, ...(scope && { scope }) })}` } : {});
    const shown = (await (await asked('admin')).json()) as Shown;
    expect(shown).toMatchObject({ blocked: 1, isShortened: false, recurrence: null });
    expect(shown.document).toContain('<p>Hi<img /></p>');
    const refused = await asked();
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: { code: 'InvalidAuthenticationToken' } });
    expect((await asked('licensed')).status).toBeGreaterThanOrEqual(400);
    expect((await asked('admin', 'Mail.ReadBasic')).status).toBe(403);
    expect((await asked('admin', 'Calendars.Read')).status).toBe(403);
    expect((await asked('admin', 'Mail.Read')).status).toBe(200);
  });

  it('shows the start of a body that is too long', async () => {
    const client = await graphClient(bench);
    const { id } = await client
      .api('/me/messages')
      .post({ subject: 'x', body: { contentType: 'text', content: 'word '.repeat(300_000) } });
    const headers = { authorization: `Bearer ${await bench.jar.token({ user: 'admin' })}` };
    const shown = (await (await get(`/mail/messages/${encodeURIComponent(id)}/body`, headers)).json()) as Shown;
    expect(shown.isShortened).toBe(true);
    expect(shown.document.length).toBeLessThan(1_200_000);
  });

  it('is the only redirect URI of its sign-in', async () => {
    const authorize = (redirect: string) =>
      get(
        `/organizations/oauth2/v2.0/authorize?${new URLSearchParams({
          client_id: PAGE_APPLICATION.id,
          response_type: 'code',
          scope: PAGE_SCOPE,
          redirect_uri: redirect,
        })}`,
      );
    expect((await authorize(bench.jar.httpsUrl + SIGNED_IN_PATH)).status).toBe(200);
    for (const elsewhere of [`https://evil.example${SIGNED_IN_PATH}`, `${bench.jar.httpsUrl}/owa`])
      expect((await authorize(elsewhere)).status, elsewhere).toBe(400);
  });
});
