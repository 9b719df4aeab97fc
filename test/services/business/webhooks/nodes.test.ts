import { expect, it } from 'vitest';
import { startJar } from '../../../../src/testing/index.ts';
import { trust } from '../../../support/trust.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';

it('a subscription is created whichever node of a jar performs the handshake, and a setting applies on all of them', async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'jar');
  const secretKey = Buffer.alloc(32, 7).toString('base64url');
  const nodes = [await startJar({ databaseUrl, secretKey }), await startJar({ databaseUrl, secretKey })] as const;
  try {
    for (const node of nodes) trust(node);
    const authorization = `Bearer ${await nodes[0].token({ ttl: '365d' })}`;
    const ask = async (node: number, method: string, path: string, body?: object) => {
      const response = await fetch(`${nodes[node]?.url}${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
      return { status: response.status, body: (await response.json()) as any };
    };
    const companies = await ask(0, 'GET', '/api/v2.0/companies');
    const resource = `/api/v2.0/companies(${companies.body.value[0].id})/customers`;
    const subscribe = (node: number) =>
      ask(node, 'POST', '/api/v2.0/subscriptions', { notificationUrl: nodes[0].inbox('shared').httpsUrl, resource });
    const replies = await Promise.all([0, 1, 0, 1, 0, 1].map(subscribe));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
    const response = await fetch(`${nodes[0].url}/_jar/business/settings`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${nodes[0].adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ apiSubscriptionExpiration: '1h' }),
    });
    expect(response.status).toBe(200);
    const { body } = await subscribe(1);
    expect(Date.parse(body.expirationDateTime) - Date.parse(body.lastModifiedDateTime)).toBe(3_600_000);
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
  }
});
