import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/kernel/http/errors.ts';
import type { Reader } from '../../../../src/kernel/store/types.ts';
import type { Session } from '../../../../src/services/business/api/session.ts';
import { standardModel } from '../../../../src/services/business/model/model.ts';
import { readBody } from '../../../../src/services/business/webhooks/read-body.ts';
import { resolveResource } from '../../../../src/services/business/webhooks/resource.ts';
import { handshakeVerdict, questionUrl } from '../../../../src/services/business/webhooks/verdict.ts';

const session = {
  jar: { addresses: { httpPort: 7080, httpsPort: 7443 } },
  model: standardModel,
  api: standardModel.api('v2.0'),
  tenantId: '10000000-0000-4000-8000-000000000001',
  base: 'https://localhost:7443/api/v2.0',
  // No company exists, so nothing can be resolved: every input is refused.
  reader: { get: async () => undefined } as unknown as Reader,
} as unknown as Session;

const PIECES = [
  'api',
  'v2.0',
  '/',
  '//',
  'companies',
  '(',
  ')',
  "'",
  'customers',
  '%',
  '%2F',
  '%27',
  '?',
  '#',
  ':',
  '..',
  '\u0000',
  'https://localhost:7443',
  '5',
  ' ',
  '\ud800',
];

const resources = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }).map((parts) => parts.join('')),
);

describe('whatever is sent', () => {
  it('as a resource is refused as a mistake of the caller', async () => {
    await fc.assert(
      fc.asyncProperty(resources, async (resource) => {
        const refusal = await resolveResource(session, resource).catch((error: unknown) => error);
        expect(refusal).toBeInstanceOf(ApiError);
        expect((refusal as ApiError).status).toBe(400);
      }),
      { numRuns: 2000 },
    );
  });

  it('as a body is read, or refused as a mistake of the caller', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        try {
          for (const value of Object.values(readBody(body))) expect(typeof value).toBe('string');
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('as an address is unchanged in the question, which returns the token', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.uuid(), (url, token) => {
        const question = questionUrl(url, token);
        expect(question.startsWith(url.replace(/#.*$/s, ''))).toBe(true);
        const delivery = { url: question } as Parameters<typeof handshakeVerdict>[1][number];
        const answer = { status: 200, outcome: 'Succeeded', headers: {}, ms: 1 };
        expect(handshakeVerdict({ ...answer, body: ` "${token}"\n` }, [delivery]).is).toBe('delivered');
        expect(handshakeVerdict({ ...answer, body: `${token}x` }, [delivery]).is).toBe('refused');
      }),
    );
  });
});
