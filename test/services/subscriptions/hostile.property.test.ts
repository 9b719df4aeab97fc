import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseBillingScope } from '../../../src/services/subscriptions/billing/scope.ts';
import { onBothStores } from '../../support/jars.ts';
import { ALIASES, Caller, NEW, NOBODY, OTTO } from './support.ts';

const RUNS = process.env.CLOUDJAR_SOAK === '1' ? 2000 : 40;
const MEMBERS = ['displayName', 'workload', 'billingScope', 'subscriptionId', 'resellerId', 'additionalProperties'];
const MORE = ['managementGroupId', 'subscriptionOwnerId', 'subscriptionTenantId', 'tags'];

const values = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      NEW.displayName,
      'Production',
      'DevTest',
      NOBODY,
      OTTO,
      '/billingAccounts/a/customers/b',
      '',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const more = fc.dictionary(fc.constantFrom(...MORE), fc.oneof(values, fc.dictionary(fc.string(), values)));
const properties = fc.dictionary(fc.constantFrom(...MEMBERS), fc.oneof(values, more));

/** Clients resolve names of dots only as relative paths. */
const names = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }).filter((name) => !/^\.{1,2}$/.test(name)),
  fc.stringMatching(/^[\w-]{1,64}$/),
);

onBothStores('whatever a client sends', (bench) => {
  it('an alias is created, or refused with a code and without a trace', async () => {
    const caller = new Caller(bench);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(properties, async (given) => {
        const name = `hostile-${count++}`;
        const { status, body } = await caller.put(name, given);
        const found = await caller.get(name);
        if (status === 201 || status === 200) {
          expect(found.body).toEqual(body);
          return;
        }
        expect(status).toBeGreaterThanOrEqual(400);
        expect(status).toBeLessThan(500);
        expect(body).toMatchObject({ code: body.error.code, message: body.error.message });
        expect(found.status).toBe(404);
      }),
      { numRuns: RUNS },
    );
    await bench.jar.clock.advance('30d');
  });

  it('an alias of any name is found under it, or forbidden', async () => {
    const caller = new Caller(bench);
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const path = `${ALIASES}/${encodeURIComponent(name)}`;
        const { status } = await caller.call('admin', 'PUT', path, { body: { properties: NEW } });
        expect([200, 201, 403]).toContain(status);
        expect((await caller.call('admin', 'GET', path)).status).toBe(status === 403 ? 403 : 200);
      }),
      { numRuns: RUNS },
    );
  });
});

const segment = fc.string({ minLength: 1 }).filter((text) => !text.includes('/'));
const prefix = fc.constantFrom('', '/providers/Vendor.Billing', '/PROVIDERS/microsoft.BILLING');

it('a billing scope gives back the names that it was made of', () => {
  fc.assert(
    fc.property(prefix, segment, segment, segment, (start, account, name, section) => {
      const parse = (rest: string) => parseBillingScope(`${start}/billingAccounts/${account}/${rest}`, ['Microsoft']);
      expect(parse(`customers/${name}`)).toEqual({ kind: 'customers', account, customer: name });
      expect(parse(`billingProfiles/${name}/invoiceSections/${section}`)).toMatchObject({ profile: name, section });
      expect(parse(`enrollmentAccounts/${name}`)).toMatchObject({ account, enrollmentAccount: name });
      expect(parse(`enrollmentAccounts/${name}/x`)).toBeUndefined();
    }),
  );
});
