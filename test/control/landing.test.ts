import { expect, test } from 'vitest';
import { withJar } from '../support/jars.ts';

withJar((bench) => {
  test('a browser that opens the address of the jar gets a small page', async () => {
    const { status, text, headers } = await bench.call('GET', '/', {
      token: null,
      headers: { accept: 'text/html,*/*' },
    });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const part of [
      'Cloudjar',
      'Subscriptions and resource groups',
      'href="/_jar/health"',
      'href="/_jar/ca.pem"',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain(bench.jar.adminKey);
  });

  test('a program gets the same as JSON', async () => {
    const { body } = await bench.call('GET', '/', { token: null });
    expect(body).toMatchObject({
      name: 'cloudjar',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      services: expect.arrayContaining([{ name: 'resources', title: 'Subscriptions and resource groups' }]),
      links: { health: '/_jar/health', ca: '/_jar/ca.pem' },
    });
  });

  test('the links lead somewhere', async () => {
    const { body } = await bench.call('GET', '/', { token: null });
    for (const path of Object.values(body.links as Record<string, string>)) {
      const { status, body: page } = await bench.call('GET', path, { token: null });
      // In a clone in which nobody has built the console yet.
      if (status === 404) expect(page).toMatchObject({ error: { code: 'ConsoleNotBuilt' } });
      else expect(status).toBe(200);
    }
  });

  test('the address takes no other method', async () => {
    const { status, headers } = await bench.call('POST', '/', { token: null });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET');
  });
});
