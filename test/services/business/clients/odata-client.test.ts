import { OData } from '@odata/client';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../benches.ts';
import { openBooks } from '../support.ts';

interface Customer {
  id: string;
  number: string;
  displayName: string;
  city: string;
}

onBothStores('a generic OData client', (bench) => {
  let client: ReturnType<typeof OData.New4>;
  beforeEach(async () => {
    client ??= (await connect()).client;
  });

  const connect = async (accept?: string) => {
    const { path } = await openBooks(bench);
    const commonHeaders = {
      Authorization: `Bearer ${await bench.jar.token({ ttl: '365d' })}`,
      'If-Match': '*',
      ...(accept !== undefined && { Accept: accept }),
    };
    // Batches are sent to the root of the API, and name the company in each request.
    const [root, company] = path.split(/(?=companies)/) as [string, string];
    const serviceEndpoint = `${bench.jar.httpsUrl}${accept === undefined ? `${path}/` : root}`;
    return { client: OData.New4({ serviceEndpoint, commonHeaders }), customers: `${company}/customers` };
  };

  it('makes, finds, changes, counts and deletes', async () => {
    const customers = client.getEntitySet<Customer>('customers');
    const made = await customers.create({ displayName: 'Generic', city: 'Lund' });
    expect(made.number).not.toBe('');
    await customers.update(made.id, { city: 'Malmö' });
    expect((await customers.retrieve(made.id)).city).toBe('Malmö');
    expect((await customers.find({ displayName: 'Generic' })).map(({ id }) => id)).toEqual([made.id]);
    const filter = client.newFilter().property('displayName').eq('Generic');
    expect(await customers.count(filter)).toBe(1);
    const options = client.newOptions().filter(filter).select(['number', 'city']).top(1);
    expect(await customers.query(options)).toMatchObject([{ number: made.number, city: 'Malmö' }]);
    await customers.delete(made.id);
    await expect(customers.retrieve(made.id)).rejects.toThrow(/no customer/);
  });

  it.each(['application/json', 'multipart/mixed'])('sends a batch and reads the answer as %s', async (accept) => {
    const { client: sender, customers: collection } = await connect(accept);
    const send = accept === 'application/json' ? 'execBatchRequestsJson' : 'execBatchRequests';
    const create = (displayName: string) =>
      sender.newBatchRequest({
        collection,
        entity: { displayName },
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
      });
    const made = await sender[send]([create(`First of ${accept}`), create(`Second of ${accept}`)]);
    expect(made.map(({ status }: { status: number }) => status)).toEqual([201, 201]);
    expect(JSON.stringify(await made[0]?.json())).toContain(`First of ${accept}`);
    const filter = sender.newFilter().property('displayName').eq(`Second of ${accept}`);
    const params = sender.newOptions().filter(filter);
    const read = await sender[send]([sender.newBatchRequest({ collection, method: 'GET', params })]);
    expect(JSON.stringify(await read[0]?.json())).toContain(`Second of ${accept}`);
  });
});
