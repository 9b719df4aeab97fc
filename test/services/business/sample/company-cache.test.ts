import { expect, it, vi } from 'vitest';
import { records } from '../../../../src/services/business/records/collection.ts';
import { CompanyCache, type GeneratedDocuments } from '../../../../src/services/business/sample/company-cache.ts';

const seed = (name: string, at: number) => ({ section: { companies: [{ name }] }, at });
const drawing = (key: string) =>
  vi.fn(async (): Promise<GeneratedDocuments[]> => [{ collection: records, documents: [[key, {}]] }]);

it('companies are generated once for a tenant, a seed and a time', async () => {
  const drawings = new CompanyCache();
  const draw = drawing('one');
  const first = await drawings.of('tenant', seed('A', 1), draw);
  expect(await drawings.of('tenant', seed('A', 1), draw)).toBe(first);
  expect(draw).toHaveBeenCalledTimes(1);
});

it.each([
  ['another tenant', 'other', seed('A', 1)],
  ['another seed', 'tenant', seed('B', 1)],
  ['another time', 'tenant', seed('A', 2)],
])('%s has a drawing of its own', async (_, tenantId, wanted) => {
  const drawings = new CompanyCache();
  await drawings.of('tenant', seed('A', 1), drawing('one'));
  expect(await drawings.of(tenantId, wanted, drawing('two'))).toMatchObject([{ documents: [['two', {}]] }]);
});

it('two entries are kept, and the least recently used goes first', async () => {
  const drawings = new CompanyCache();
  const of = (name: string, draw = drawing(name)) => drawings.of('tenant', seed(name, 1), draw);
  await of('A');
  await of('B');
  await of('A');
  await of('C');
  const again = drawing('again');
  await of('A', again);
  expect(again).not.toHaveBeenCalled();
  await of('B', again);
  expect(again).toHaveBeenCalledTimes(1);
});

it('a failed generation is repeated', async () => {
  const drawings = new CompanyCache();
  const failing = () => Promise.reject(new Error('no such set'));
  await expect(drawings.of('tenant', seed('A', 1), failing)).rejects.toThrow('no such set');
  expect(await drawings.of('tenant', seed('A', 1), drawing('one'))).toHaveLength(1);
});
